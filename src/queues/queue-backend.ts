import { setTimeout as sleep } from 'node:timers/promises';
import {
  createPostgresBackend,
  type ConnectionOptions,
  DEFAULT_SCHEMA,
  runMigrations,
  setDefaultBackendFactory,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';

/** Queries of all queues at once. */
const QUERY_CONNECTIONS = 8;

const ignoreLostConnection = () => undefined;

/** Where BullMQ keeps its jobs: the product's own PostgreSQL, or Redis/Valkey when one is named. */
export interface QueueBackend {
  readonly connection: ConnectionOptions;
  /** Asks for a sign of life; fails, or does not return for a while, when there is none. */
  ping(): Promise<unknown>;
  close(): Promise<void>;
}

/** A server that is away cannot be taken leave of. */
const QUIT_MS = 1_000;

/**
 * Opens the backend for every queue of this process. `@nestjs/bullmq` cannot pass a backend with a queue, so the
 * process-wide default is set first.
 *
 * @param queues how many there are: each worker keeps a connection for itself, on which it hears of new jobs
 */
export function openQueueBackend(
  databaseUrl: string,
  redisUrl: string | undefined,
  queues: number,
): QueueBackend {
  if (redisUrl) {
    setDefaultBackendFactory();
    // Workers wait for Redis as long as it takes; BullMQ asks for this setting.
    const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    return { connection: redis, ping: () => pingRedis(redis), close: () => quitRedis(redis) };
  }
  setDefaultBackendFactory(createPostgresBackend);
  // One pool for all queues: its own default would be one for each queue and each worker.
  const pool = new Pool({
    connectionString: databaseUrl,
    max: queues + QUERY_CONNECTIONS,
    keepAlive: true,
    application_name: 'prosa-queues',
    options: `-c search_path=${DEFAULT_SCHEMA}`,
  });
  // Each queue and each worker listens for its errors.
  pool.setMaxListeners(0);
  // An idle connection was lost: the pool replaces it, and a query that needs it reports its own error.
  pool.on('error', ignoreLostConnection);
  // The pool takes its own listener away from a connection it lends, and BullMQ's transactions add none.
  pool.on('connect', (client) => client.on('error', ignoreLostConnection));
  return { connection: pool, ping: () => pool.query('SELECT 1'), close: () => pool.end() };
}

/** A command to a server that is known to be away would wait for it. */
async function pingRedis(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') throw new Error(`redis is ${redis.status}`);
  await redis.ping();
}

async function quitRedis(redis: Redis): Promise<void> {
  const quit = redis.quit().then(
    () => true,
    () => false,
  );
  if (!(await Promise.race([quit, sleep(QUIT_MS, false, { ref: false })]))) redis.disconnect();
}

/** Brings the queue's own schema up to date. Safe from many processes at once: BullMQ takes an advisory lock. */
export async function migrateQueues(databaseUrl: string): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl,
    options: `-c search_path=${DEFAULT_SCHEMA}`,
  });
  // The statement that fails says so; without a listener the loss would end the process.
  client.on('error', ignoreLostConnection);
  await client.connect();
  try {
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${DEFAULT_SCHEMA}`);
    await runMigrations(client, DEFAULT_SCHEMA);
  } finally {
    await client.end();
  }
}
