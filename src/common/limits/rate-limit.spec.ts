import { afterAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Logger } from '../observability/logger.js';
import type { LimitPolicy } from './limit-policy.js';
import { openLimitRedis } from './limit-redis.js';
import { RateLimit } from './rate-limit.js';

const policy: LimitPolicy = { name: 'address', quota: 5, windowSeconds: 1 };
const silent = Logger.create('silent');

async function remainingOf(
  limit: RateLimit,
  subject: string,
  times: number,
): Promise<(number | 'exceeded')[]> {
  const uses: (number | 'exceeded')[] = [];
  for (let i = 0; i < times; i++) {
    const { isExceeded, remaining } = await limit.take(subject);
    uses.push(isExceeded ? 'exceeded' : remaining);
  }
  return uses;
}

describe('RateLimit in memory', () => {
  it('admits the quota of each subject and no more', async () => {
    const limit = new RateLimit(policy, null);
    expect(await remainingOf(limit, 'a', 7)).toEqual([4, 3, 2, 1, 0, 'exceeded', 'exceeded']);
    expect(await remainingOf(limit, 'b', 1)).toEqual([4]);
  });

  it('says when the window ends, and begins a new one then', async () => {
    const limit = new RateLimit(policy, null);
    await remainingOf(limit, 'a', 5);
    const { resetSeconds } = await limit.take('a');
    expect(resetSeconds).toBe(1);
    await sleep(1_050);
    expect(await remainingOf(limit, 'a', 1)).toEqual([4]);
  });
});

describe('RateLimit while Redis is away', () => {
  it('counts in memory, without waiting', async () => {
    const redis = openLimitRedis('redis://127.0.0.1:1', silent);
    try {
      const limit = new RateLimit(policy, redis);
      const begunMs = performance.now();
      expect(await remainingOf(limit, 'a', 6)).toEqual([4, 3, 2, 1, 0, 'exceeded']);
      expect(performance.now() - begunMs).toBeLessThan(2_000);
    } finally {
      redis.disconnect();
    }
  });
});

/** Needs a real Redis or Valkey: set PROSA_TEST_REDIS_URL to run it. */
const redisUrl = process.env.PROSA_TEST_REDIS_URL ?? '';
(redisUrl ? describe : describe.skip)('RateLimit in Redis', () => {
  const connections: Redis[] = [];
  const connect = async () => {
    const redis = openLimitRedis(redisUrl, silent);
    connections.push(redis);
    while (redis.status !== 'ready') await sleep(5);
    return redis;
  };
  afterAll(() => connections.forEach((redis) => redis.disconnect()));

  it('shares the count between processes', async () => {
    const [first, second] = [new RateLimit(policy, await connect()), new RateLimit(policy, await connect())];
    const subject = `shared ${Date.now()}`;
    expect(await remainingOf(first, subject, 3)).toEqual([4, 3, 2]);
    expect(await remainingOf(second, subject, 4)).toEqual([1, 0, 'exceeded', 'exceeded']);
    expect(await remainingOf(first, subject, 2)).toEqual(['exceeded', 'exceeded']);
  });

  it('admits exactly the quota of requests that come at once over four connections', async () => {
    const wide: LimitPolicy = { name: 'key', quota: 300, windowSeconds: 60 };
    const limits = await Promise.all(
      Array.from({ length: 4 }, async () => new RateLimit(wide, await connect())),
    );
    const subject = `flood ${Date.now()}`;
    const uses = await Promise.all(
      limits.flatMap((limit) => Array.from({ length: 500 }, () => limit.take(subject))),
    );
    expect(uses.filter((use) => !use.isExceeded)).toHaveLength(300);
  });

  it('goes on in memory when Redis goes away, and returns to it', async () => {
    const redis = await connect();
    const limit = new RateLimit(policy, redis);
    const subject = `away ${Date.now()}`;
    expect(await remainingOf(limit, subject, 1)).toEqual([4]);
    redis.disconnect(true);
    expect(await remainingOf(limit, subject, 1)).toEqual([4]);
    while (redis.status !== 'ready') await sleep(5);
    expect(await remainingOf(limit, subject, 1)).toEqual([3]);
  });
});
