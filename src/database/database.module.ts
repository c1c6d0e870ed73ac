import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AdvisoryLocks } from './advisory-locks.js';
import { dataSourceOptions } from './data-source-options.js';
import { Database } from './database.js';
import { Transactions } from './transactions.js';

/** The connection pool, and what services and repositories see of it. The schema is migrated before the app starts. */
@Module({})
export class DatabaseModule {
  static of(url: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(url, poolSize), retryAttempts: 3 })],
      providers: [AdvisoryLocks, Database, { provide: Transactions, useExisting: Database }],
      exports: [AdvisoryLocks, Database, Transactions],
    };
  }
}
