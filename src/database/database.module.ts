import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { dataSourceOptions, type EntityClass } from './data-source-options.js';
import { DatabaseHealthService } from './database-health.service.js';
import { Database } from './database.js';
import { tellOutages } from './outages/outages.js';
import { SessionLocks } from './connections/session-locks.js';
import { Transactions } from './transactions.js';

/** The connection pool, and what services and repositories see of it. The schema is migrated before the app starts. */
@Module({})
export class DatabaseModule {
  /** @param ofPlugins entities of plugins, in addition to those of the product */
  static of(url: string, poolSize: number, ofPlugins: readonly EntityClass[] = []): DynamicModule {
    const health = new DatabaseHealthService();
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...dataSourceOptions(url, poolSize, ofPlugins), retryAttempts: 3 }),
          dataSourceFactory: async (options) =>
            tellOutages(new DataSource(options as DataSourceOptions), (outage) => health.see(outage)),
        }),
      ],
      providers: [
        SessionLocks,
        Database,
        { provide: DatabaseHealthService, useValue: health },
        { provide: Transactions, useExisting: Database },
      ],
      exports: [SessionLocks, Database, DatabaseHealthService, Transactions],
    };
  }
}
