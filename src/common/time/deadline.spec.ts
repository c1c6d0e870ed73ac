import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Deadline } from './deadline.js';

const NEVER = new Promise<never>(() => undefined);

const deadlineOf = (timeoutMs: number, caller?: AbortSignal) =>
  new Deadline(timeoutMs, caller, (reason, cause) => new Error(reason, { cause }));

describe('Deadline', () => {
  it('gives up when the time is over, also on work that never looks', async () => {
    const deadline = deadlineOf(20);
    await expect(deadline.race(NEVER)).rejects.toThrow('timeout');
    expect(deadline.signal.reason).toBe(deadline.error);
  });

  it('gives up when the caller does, and says why', async () => {
    const caller = new AbortController();
    const deadline = deadlineOf(60_000, caller.signal);
    const work = deadline.race(NEVER);
    caller.abort('gone');
    await expect(work).rejects.toMatchObject({ message: 'aborted', cause: 'gone' });
    deadline.close();
  });

  it('gives up at once for a caller who has done so before', async () => {
    const deadline = deadlineOf(60_000, AbortSignal.abort());
    await expect(deadline.race(NEVER)).rejects.toThrow('aborted');
    deadline.close();
  });

  it('remembers the first reason of two', async () => {
    const caller = new AbortController();
    const deadline = deadlineOf(10, caller.signal);
    await sleep(30);
    caller.abort();
    expect(deadline.error?.message).toBe('timeout');
  });

  it('passes on what the work comes to', async () => {
    const deadline = deadlineOf(60_000);
    await expect(deadline.race(Promise.resolve(7))).resolves.toBe(7);
    await expect(deadline.race(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    deadline.close();
  });

  it('cancels what still runs when it is closed, which is no reason to fail', () => {
    const deadline = deadlineOf(60_000);
    deadline.close();
    expect(deadline.signal.aborted).toBe(true);
    expect(deadline.error).toBeNull();
  });
});
