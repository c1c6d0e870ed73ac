import { describe, expect, it } from '@jest/globals';
import { runAll } from './run-all.js';

describe('runAll', () => {
  it('acts on each item once, at most four at a time, and says how far it is', async () => {
    const seen: number[] = [];
    const progress: number[] = [];
    let running = 0;
    let most = 0;
    const failed = await runAll(
      Array.from({ length: 11 }, (_, n) => n),
      async (n) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        seen.push(n);
        running--;
      },
      (done) => progress.push(done),
    );
    expect(failed).toEqual([]);
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 11 }, (_, n) => n));
    expect(most).toBe(4);
    expect(progress).toEqual(Array.from({ length: 11 }, (_, n) => n + 1));
  });

  it('returns what failed, and goes on with the others', async () => {
    const seen: string[] = [];
    const failed = await runAll(['a', 'b', 'c'], async (item) => {
      if (item !== 'c') throw new Error(`no ${item}`);
      seen.push(item);
    });
    expect(failed.map(({ item, error }) => [item, (error as Error).message])).toEqual([
      ['a', 'no a'],
      ['b', 'no b'],
    ]);
    expect(seen).toEqual(['c']);
  });

  it('does nothing without items', async () => {
    expect(await runAll([], () => Promise.reject(new Error('called')))).toEqual([]);
  });
});
