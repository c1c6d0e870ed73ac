import type { DataSourceOptions } from 'typeorm';
import { isTracing } from '../common/observability/tracing.js';
import { IDLE_CONNECTION_MS } from './pool/connection-shares.js';
import { entities } from './entities.js';
import { migrations } from './migrations.js';
import { QuerySpans } from './query-spans.js';
import { SnakeNamingStrategy } from './snake-naming.js';
import { STATEMENT_TIMEOUT_MS, WatchedClient } from './outages/watched-client.js';

/** A class with `@Entity`. */
export type EntityClass = new () => object;

/** How the product talks to PostgreSQL: never `synchronize`, always migrations. */
export function dataSourceOptions(
  url: string,
  poolSize = 16,
  ofPlugins: readonly EntityClass[] = [],
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities: [...entities, ...ofPlugins],
    migrations,
    subscribers: isTracing() ? [QuerySpans] : [],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    namingStrategy: new SnakeNamingStrategy(),
    synchronize: false,
    logging: false,
    poolSize,
    applicationName: 'prosa',
    extra: {
      Client: WatchedClient,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // Nothing slow is done inside a transaction; a process that freezes in one must not stop the others for long.
      idle_in_transaction_session_timeout: 10_000,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      idleTimeoutMillis: IDLE_CONNECTION_MS,
    },
  };
}
