import { describe, expect, it } from '@jest/globals';
import { WakeUps } from './wake-ups.js';

/** A queue that answers when the test says so. */
function slowQueue() {
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const add = () => new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, add };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('WakeUps', () => {
  it('returns at once while the queue does not answer, and asks it once for each job', () => {
    const { waiting, add } = slowQueue();
    const wakeUps = new WakeUps(() => undefined);
    wakeUps.send('a', add);
    wakeUps.send('b', add);
    expect(waiting).toHaveLength(2);
    expect(wakeUps.count).toBe(2);
  });

  it('asks once more for a job that was asked for while it waited, however often', async () => {
    const { waiting, add } = slowQueue();
    const wakeUps = new WakeUps(() => undefined);
    for (let times = 0; times < 100; times++) wakeUps.send('a', add);
    expect(waiting).toHaveLength(1);
    waiting[0]?.resolve();
    await turn();
    expect(waiting).toHaveLength(2);
    waiting[1]?.resolve();
    await turn();
    expect(waiting).toHaveLength(2);
    expect(wakeUps.count).toBe(0);
  });

  it('holds a bounded number, and reports what is beyond', () => {
    const { waiting, add } = slowQueue();
    const failures: unknown[] = [];
    const wakeUps = new WakeUps((error) => void failures.push(error), 3);
    for (let job = 0; job < 10; job++) wakeUps.send(`job ${job}`, add);
    expect(waiting).toHaveLength(3);
    expect(failures).toHaveLength(7);
    expect(String(failures[0])).toBe('Error: 3 jobs wait for the queue already');
  });

  it('reports a failure and goes on', async () => {
    const failures: unknown[] = [];
    const wakeUps = new WakeUps((error) => void failures.push(error));
    wakeUps.send('a', () => Promise.reject(new Error('away')));
    wakeUps.send('b', () => {
      throw new Error('at once');
    });
    await turn();
    expect(failures.map(String).sort()).toEqual(['Error: at once', 'Error: away']);
    expect(wakeUps.count).toBe(0);
  });

  it('waits for the queue at the end, but not for ever', async () => {
    const { waiting, add } = slowQueue();
    const wakeUps = new WakeUps(() => undefined);
    wakeUps.send('a', add);
    const startedAt = performance.now();
    await wakeUps.settle(50);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(45);
    waiting[0]?.resolve();
    await wakeUps.settle(60_000);
    expect(wakeUps.count).toBe(0);
  });
});
