import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.js';

describe('KeyedQueue', () => {
  const queue = new KeyedQueue<string>();

  it('runs the work of a key one after another, in the order it came, also after a failure', async () => {
    const log: string[] = [];
    const work = (name: string, ms: number) => async () => {
      log.push(`${name} begins`);
      await sleep(ms);
      log.push(`${name} ends`);
      if (name === 'b') throw new Error(name);
    };
    const all = [queue.run('k', work('a', 20)), queue.run('k', work('b', 5)), queue.run('k', work('c', 1))];
    expect(queue.lengthOf('k')).toBe(3);
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(queue.lengthOf('k')).toBe(0);
  });

  it('keeps different keys apart', async () => {
    let isDone = false;
    const slow = queue.run('slow', async () => {
      await sleep(50);
      isDone = true;
    });
    await queue.run('quick', () => Promise.resolve());
    expect(isDone).toBe(false);
    await slow;
  });

  it('is free again after work that failed before it began', async () => {
    const broken = () => {
      throw new Error('broken');
    };
    await expect(queue.run('k', broken)).rejects.toThrow('broken');
    expect(queue.lengthOf('k')).toBe(0);
    await expect(queue.run('k', () => Promise.resolve(1))).resolves.toBe(1);
  });
});
