import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  type ConnectionOptions,
  DEFAULT_SCHEMA,
  PostgresConnection,
  PostgresQueueBackend,
  setDefaultBackendFactory,
} from 'bullmq';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { LiveChannel } from '../../common/live/live-channel.js';
import { STATEMENT_TIMEOUT_MS } from '../../database/outages/watched-client.js';
import { IDLE_CONNECTION_MS } from '../../database/pool/connection-shares.js';
import { ActiveQueues } from './active-queues.js';
import { JobNotifications, type ListenClient } from './job-notifications.js';
import { PostgresLiveChannel, RedisLiveChannel } from '../live-channels.js';
import { QueueClient } from './queue-client.js';

const ignoreLostConnection = () => undefined;

/** Where BullMQ keeps its jobs: the product's own PostgreSQL, or Redis/Valkey when one is named. */
export interface QueueBackend {
  readonly connection: ConnectionOptions;
  /** Over which processes tell each other of changes. */
  readonly live: LiveChannel;
  /** Asks for a sign of life; fails, or does not return for a while, when there is none. */
  ping(): Promise<unknown>;
  /** Of the pool of its statements; null where it has none, with Redis. */
  connectionCounts(): { readonly used: number; readonly idle: number; readonly waiting: number } | null;
  close(): Promise<void>;
}

/** A server that is away cannot be taken leave of. */
const QUIT_MS = 1_000;

/** What a queue or a worker has of the database: the pool of all, and the listener of all. */
class SharedConnection extends PostgresConnection {
  constructor(
    pool: Pool,
    private readonly notifications: JobNotifications,
  ) {
    super(pool);
    // Workers that wait look again, and subscribe anew.
    notifications.on('lost', () => this.emit('listenerinvalidated'));
  }

  override getListenClient(): Promise<ListenClient> {
    return this.notifications.open();
  }
}

/** Leaves the look for jobs of dead processes out where no job runs. */
class SharedBackend extends PostgresQueueBackend {
  constructor(
    connection: SharedConnection,
    name: string,
    options: ConstructorParameters<typeof PostgresQueueBackend>[2],
    private readonly active: ActiveQueues,
  ) {
    super(connection, name, options);
  }

  override async moveStalledJobsToWait(): Promise<string[]> {
    return (await this.active.has(this.queueName)) ? super.moveStalledJobsToWait() : [];
  }
}

/**
 * Opens the backend for every queue of this process. `@nestjs/bullmq` cannot pass a backend with a queue, so the
 * process-wide default is set first.
 *
 * @param queries connections for statements of all queues and workers together. One more connection receives news of
 *   jobs for the workers and of changes for the process
 */
export function openQueueBackend(
  databaseUrl: string,
  redisUrl: string | undefined,
  queries: number,
): QueueBackend {
  if (redisUrl) {
    setDefaultBackendFactory();
    // Workers wait for Redis as long as it takes; BullMQ asks for this setting.
    const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    const live = new RedisLiveChannel(redis);
    return {
      connection: redis,
      live,
      ping: () => pingRedis(redis),
      connectionCounts: () => null,
      close: () => {
        live.close();
        return quitRedis(redis);
      },
    };
  }
  const pool = new Pool({
    connectionString: databaseUrl,
    Client: QueueClient,
    max: queries,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    application_name: 'prosa-queues',
    options: `-c search_path=${DEFAULT_SCHEMA}`,
  });
  // Each queue and each worker listens for its errors.
  pool.setMaxListeners(0);
  // An idle connection was lost: the pool replaces it, and a query that needs it reports its own error.
  pool.on('error', ignoreLostConnection);
  const notifications = new JobNotifications(databaseUrl);
  const active = new ActiveQueues(pool);
  // Each queue and worker has its own view of both; BullMQ's default would be a pool and a listener for each.
  const backendOf: BackendFactory = (name, options) =>
    new SharedBackend(
      new SharedConnection(pool, notifications),
      name,
      { ...options, connection: pool },
      active,
    );
  setDefaultBackendFactory(backendOf);
  const live = new PostgresLiveChannel(pool, notifications);
  return {
    connection: pool,
    live,
    ping: () => pool.query('SELECT 1'),
    connectionCounts: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    close: async () => {
      live.close();
      await notifications.close();
      await pool.end();
    },
  };
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
