import { describe, expect, it } from '@jest/globals';
import { KeyedBatcher } from './keyed-batcher.js';

/** Records each run, and holds it until the test releases it. */
function held() {
  const runs: string[] = [];
  const gates: (() => void)[] = [];
  const begun: (() => void)[] = [];
  const batches = new KeyedBatcher<string, number, string>(async (key, items) => {
    runs.push(`${key}:${items.join()}`);
    await new Promise<void>((resolve) => {
      gates.push(resolve);
      begun.shift()?.();
    });
    return items.map((item) => `${key}${item}`);
  }, 3);
  return {
    runs,
    batches,
    /** The next run that begins. */
    nextRun: () => new Promise<void>((resolve) => begun.push(resolve)),
    release: () => gates.shift()?.(),
  };
}

describe('work in batches', () => {
  it('does together what is asked at the same time, and gives each its own result', async () => {
    const { runs, batches, nextRun, release } = held();
    const begun = nextRun();
    const results = Promise.all([batches.run('a', 1), batches.run('a', 2)]);
    await begun;
    release();
    expect(await results).toEqual(['a1', 'a2']);
    expect(runs).toEqual(['a:1,2']);
  });

  it('gathers what is asked during a run, and no more than fit into one', async () => {
    const { runs, batches, nextRun, release } = held();
    let begun = nextRun();
    const first = batches.run('a', 1);
    await begun;
    const later = Promise.all([2, 3, 4, 5].map((item) => batches.run('a', item)));
    begun = nextRun();
    release();
    await begun;
    begun = nextRun();
    release();
    await begun;
    release();
    expect([await first, ...(await later)]).toEqual(['a1', 'a2', 'a3', 'a4', 'a5']);
    expect(runs).toEqual(['a:1', 'a:2,3,4', 'a:5']);
  });

  it('lets no key wait for another', async () => {
    const { runs, batches, nextRun, release } = held();
    const both = [nextRun(), nextRun()];
    const results = Promise.all([batches.run('a', 1), batches.run('b', 1)]);
    await Promise.all(both);
    expect(runs).toEqual(['a:1', 'b:1']);
    release();
    release();
    await results;
  });

  it('begins anew for a key that has come to rest', async () => {
    const { batches, nextRun, release } = held();
    for (const item of [1, 2]) {
      const begun = nextRun();
      const result = batches.run('a', item);
      await begun;
      release();
      expect(await result).toBe(`a${item}`);
    }
  });

  it('tries those of a run that failed one by one, and fails those alone that fail by themselves', async () => {
    const runs: string[] = [];
    const batches = new KeyedBatcher<string, number, number>(async (_key, items) => {
      runs.push(items.join());
      if (items.includes(2)) throw new Error('two');
      return items;
    }, 9);
    const results = await Promise.allSettled([1, 2, 3].map((item) => batches.run('a', item)));
    expect(runs).toEqual(['1,2,3', '1', '2', '3']);
    expect(results).toMatchObject([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: { message: 'two' } },
      { status: 'fulfilled', value: 3 },
    ]);
  });
});
