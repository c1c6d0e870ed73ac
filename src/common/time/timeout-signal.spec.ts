import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { collectGarbage } from '../../../test/support/garbage.js';
import { timeoutSignal } from './timeout-signal.js';

describe('timeoutSignal', () => {
  it('fires with a TimeoutError when its time is over', async () => {
    const signal = timeoutSignal(20);
    expect(signal.aborted).toBe(false);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('fires through AbortSignal.any when nothing else refers to it and garbage was collected', async () => {
    const other = new AbortController();
    const fired = new Promise<string>((resolve) => {
      const either = AbortSignal.any([timeoutSignal(200), other.signal]);
      either.addEventListener('abort', () => resolve('fired'));
    });
    for (let round = 0; round < 3; round++) {
      await sleep(20);
      collectGarbage();
    }
    expect(await Promise.race([fired, sleep(5_000, 'never', { ref: false })])).toBe('fired');
  });
});
