import { Redis } from 'ioredis';

const CONNECT_MS = 5_000;

/** What matters of a Redis for queues. */
export interface RedisState {
  readonly version: string;
  /** What it drops when its memory is full; BullMQ needs `noeviction`. */
  readonly evictionPolicy: string;
}

/** Connects once and asks. @throws the error of the connection or of the answer */
export async function readRedisState(redisUrl: string): Promise<RedisState> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    commandTimeout: CONNECT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let lost: Error | null = null;
  redis.on('error', (error: Error) => (lost = error));
  try {
    await redis.connect();
    const info = await redis.info();
    return {
      version: fieldOf(info, 'redis_version'),
      evictionPolicy: fieldOf(info, 'maxmemory_policy'),
    };
  } catch (error) {
    // What failed first says more than that the connection is closed.
    throw lost ?? error;
  } finally {
    redis.disconnect();
  }
}

function fieldOf(info: string, name: string): string {
  const line = info.split('\r\n').find((one) => one.startsWith(`${name}:`));
  return line?.slice(name.length + 1) ?? '';
}
