import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedis, RedisServer } from '../../../test/support/redis-server.js';
import { Logger } from '../observability/logger.js';
import type { LimitPolicy } from './limit-policy.js';
import { LimitRedis } from './limit-redis.js';
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

  it('says how long the window lasts from its first request on', async () => {
    const limit = new RateLimit({ ...policy, windowSeconds: 60 }, null);
    expect((await limit.take('a')).resetSeconds).toBe(60);
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
    const redis = new LimitRedis('redis://127.0.0.1:1', silent);
    try {
      const limit = new RateLimit(policy, redis);
      const begunMs = performance.now();
      expect(await remainingOf(limit, 'a', 6)).toEqual([4, 3, 2, 1, 0, 'exceeded']);
      expect(performance.now() - begunMs).toBeLessThan(2_000);
    } finally {
      redis.close();
    }
  });
});

(hasRedis ? describe : describe.skip)('RateLimit in Redis', () => {
  const wide: LimitPolicy = { name: 'key', quota: 300, windowSeconds: 60 };
  let server: RedisServer;
  const connections: LimitRedis[] = [];

  const connect = async () => {
    const redis = new LimitRedis(server.url, silent);
    connections.push(redis);
    while (!redis.isReady) await sleep(5);
    return redis;
  };
  const connectLimits = (count: number) =>
    Promise.all(Array.from({ length: count }, async () => new RateLimit(wide, await connect())));

  /** How many of so many requests at once each limit admits. */
  const admittedOf = async (limits: RateLimit[], subject: string, times: number, duringFlood = () => {}) => {
    const flood = limits.map((limit) =>
      Promise.all(Array.from({ length: times }, () => limit.take(subject))),
    );
    duringFlood();
    return (await Promise.all(flood)).map((uses) => uses.filter(({ isExceeded }) => !isExceeded).length);
  };
  const sumOf = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0);

  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => connections.splice(0).forEach((redis) => redis.close()));
  afterAll(() => server.stop());

  it('shares the count between processes', async () => {
    const [first, second] = [new RateLimit(policy, await connect()), new RateLimit(policy, await connect())];
    const subject = 'shared';
    expect(await remainingOf(first, subject, 3)).toEqual([4, 3, 2]);
    expect(await remainingOf(second, subject, 4)).toEqual([1, 0, 'exceeded', 'exceeded']);
    expect(await remainingOf(first, subject, 2)).toEqual(['exceeded', 'exceeded']);
  });

  it('begins a new window with that of Redis, though it joined it late', async () => {
    const [first, second] = [new RateLimit(policy, await connect()), new RateLimit(policy, await connect())];
    expect(await remainingOf(first, 'late', 4)).toEqual([4, 3, 2, 1]);
    await sleep(600);
    expect(await remainingOf(second, 'late', 2)).toEqual([0, 'exceeded']);
    await sleep(500);
    expect(await remainingOf(second, 'late', 1)).toEqual([4]);
  });

  it('admits exactly the quota of requests that come at once over four connections', async () => {
    expect(sumOf(await admittedOf(await connectLimits(4), 'flood', 500))).toBe(300);
  });

  it('admits exactly the quota though the process is blocked before it can read the answers', async () => {
    const block = () => {
      const untilMs = performance.now() + 1_500;
      while (performance.now() < untilMs);
    };
    expect(sumOf(await admittedOf(await connectLimits(4), 'blocked', 500, block))).toBe(300);
  });

  it('admits at most the quota in each process while Redis answers nothing, and waits for it once', async () => {
    const limits = await connectLimits(4);
    await server.signal('SIGSTOP');
    try {
      expect(await admittedOf(limits, 'frozen', 500)).toEqual([300, 300, 300, 300]);
      const begunMs = performance.now();
      expect(await remainingOf(limits[0]!, 'frozen too', 3)).toEqual([299, 298, 297]);
      expect(performance.now() - begunMs).toBeLessThan(400);
    } finally {
      await server.signal('SIGCONT');
    }
    while (!connections.every(({ isReady }) => isReady)) await sleep(5);
    expect(await admittedOf(limits, 'frozen', 500)).toEqual([0, 0, 0, 0]);
  });

  it('admits no more of a process when Redis has lost its counts', async () => {
    const [limit, other] = await connectLimits(2);
    expect(await admittedOf([limit!], 'lost', 200)).toEqual([200]);
    await server.forgetAll();
    expect(await admittedOf([limit!], 'lost', 200)).toEqual([100]);
    expect(await admittedOf([other!], 'lost', 500)).toEqual([200]);
  });

  it('goes on from its own count when Redis goes away, and returns to the shared one', async () => {
    const redis = await connect();
    const limit = new RateLimit({ ...policy, windowSeconds: 60 }, redis);
    expect(await remainingOf(limit, 'away', 1)).toEqual([4]);
    redis.connection.disconnect(true);
    expect(await remainingOf(limit, 'away', 1)).toEqual([3]);
    while (!redis.isReady) await sleep(5);
    expect(await remainingOf(limit, 'away', 1)).toEqual([2]);
  });
});
