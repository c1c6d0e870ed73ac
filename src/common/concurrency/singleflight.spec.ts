import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Singleflight } from './singleflight.js';

/** Runs that end when the test says so. */
function controlledRuns() {
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const shared = new Singleflight(
    () =>
      new Promise<void>((resolve, reject) => {
        runs.push({ end: resolve, fail: reject });
      }),
  );
  return { runs, shared };
}

describe('a shared run', () => {
  it('begins at once when no other run is under way', async () => {
    const { runs, shared } = controlledRuns();
    const first = shared.run();
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    void shared.run();
    expect(runs).toHaveLength(2);
  });

  it('is one for all who ask while another is under way, and begins after that one', async () => {
    const { runs, shared } = controlledRuns();
    const first = shared.run();
    const done: number[] = [];
    const later = [1, 2, 3].map((asker) => shared.run().then(() => done.push(asker)));
    await nextTick();
    expect(runs).toHaveLength(1);

    runs[0]?.end();
    await first;
    await nextTick();
    expect(runs).toHaveLength(2);
    expect(done).toEqual([]);

    runs[1]?.end();
    await Promise.all(later);
    expect(done).toEqual([1, 2, 3]);
    expect(runs).toHaveLength(2);
  });

  it('reports a failure only to the callers that share it', async () => {
    const { runs, shared } = controlledRuns();
    const first = shared.run();
    const second = shared.run();
    runs[0]?.fail(new Error('the database is away'));
    await expect(first).rejects.toThrow('the database is away');
    await nextTick();
    runs[1]?.end();
    await expect(second).resolves.toBeUndefined();
  });

  it('covers callers between two runs by a run that begins later', async () => {
    const { runs, shared } = controlledRuns();
    const first = shared.run();
    const second = shared.run();
    runs[0]?.end();
    await first;
    await nextTick();
    const third = shared.run();
    runs[1]?.end();
    await second;
    await nextTick();
    expect(runs).toHaveLength(3);
    runs[2]?.end();
    await third;
  });
});
