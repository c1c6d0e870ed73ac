import { Redis } from 'ioredis';
import type { Logger } from '../observability/logger.js';

const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 2_000;

/**
 * A connection for counters, which are not worth waiting for: a command fails at once while Redis is away, and the
 * limits count in memory until it is back.
 */
export function openLimitRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  let isAway = false;
  redis.on('error', (error: Error) => {
    if (!isAway) logger.warn('rate limits count in memory: redis is away', { err: error });
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.info('rate limits count in redis again');
    isAway = false;
  });
  return redis;
}
