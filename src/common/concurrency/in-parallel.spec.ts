import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { inParallel } from './in-parallel.js';

describe('inParallel', () => {
  it('does each once, in order, and never more than so many at the same time', async () => {
    const done: number[] = [];
    let now = 0;
    let most = 0;
    await inParallel([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      most = Math.max(most, ++now);
      done.push(item);
      await turn();
      now -= 1;
    });
    expect({ done, most, now }).toEqual({ done: [1, 2, 3, 4, 5, 6, 7], most: 3, now: 0 });
  });

  it('begins none after one has failed', async () => {
    const begun: number[] = [];
    const work = async (item: number) => {
      begun.push(item);
      await turn();
      if (item === 2) throw new Error('two');
    };
    await expect(inParallel([1, 2, 3, 4, 5, 6], 2, work)).rejects.toThrow('two');
    await turn();
    expect(begun.length).toBeLessThan(5);
  });

  it('is over at once when there is nothing to do', async () => {
    await inParallel([], 3, () => Promise.reject(new Error('nothing')));
  });
});
