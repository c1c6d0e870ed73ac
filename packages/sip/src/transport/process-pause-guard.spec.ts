import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import { ProcessPauseGuard } from './process-pause-guard.js';

/** A clock whose timers do not run during a standstill, as in a process that is stopped. */
class StoppableClock extends VirtualClock {
  private stoodMs = 0;
  private setForwardMs = 0;

  override nowMs(): number {
    return super.nowMs() + this.stoodMs;
  }

  override date(): Date {
    return new Date(super.date().getTime() + this.stoodMs + this.setForwardMs);
  }

  standFor(ms: number): void {
    this.stoodMs += ms;
  }

  /** The monotonic clock has not moved. */
  sleepFor(ms: number): void {
    this.setForwardMs += ms;
  }
}

describe('the guard of a process that may stand still', () => {
  let clock: StoppableClock;
  let answers: { resolve: () => void; reject: (error: Error) => void }[];
  let guard: ProcessPauseGuard;

  beforeEach(() => {
    clock = new StoppableClock();
    answers = [];
    guard = new ProcessPauseGuard(
      clock,
      () => new Promise<void>((resolve, reject) => answers.push({ resolve, reject })),
      5_000,
    );
    guard.watch();
  });

  it('asks nothing while the process runs, nor after a standstill of the allowed length', async () => {
    await clock.pass(60_000);
    expect(guard.isOpen()).toBe(true);
    clock.standFor(5_000);
    expect(guard.isOpen()).toBe(true);
    await clock.pass(10_000);
    expect(answers).toHaveLength(0);
  });

  it.each(['standFor', 'sleepFor'] as const)(
    'is closed to the very first packet after a longer one, before any timer has run (%s)',
    async (stand) => {
      await clock.pass(60_000);
      clock[stand](5_001);
      expect(guard.isOpen()).toBe(false);
      await clock.pass(0);
      expect(answers).toHaveLength(1);
    },
  );

  it('counts from the last packet, not only from the last beat', async () => {
    await clock.pass(900);
    expect(guard.isOpen()).toBe(true);
    clock.standFor(4_900);
    expect(guard.isOpen()).toBe(true);
  });

  it('is closed by its own beat where nothing is sent', async () => {
    clock.standFor(20_000);
    await clock.pass(1_000);
    expect(answers).toHaveLength(1);
  });

  it('opens once it is known what is still ours, and lets those go on who waited', async () => {
    clock.standFor(20_000);
    let waited = guard.whenOpen().then(() => 'passed');
    await clock.pass(3_000);
    expect(guard.isOpen()).toBe(false);
    answers[0]?.resolve();
    expect(await waited).toBe('passed');
    expect(guard.isOpen()).toBe(true);
    waited = guard.whenOpen().then(() => 'at once');
    expect(await waited).toBe('at once');
    expect(answers).toHaveLength(1);
  });

  it('asks again after a second while the question fails', async () => {
    clock.standFor(20_000);
    expect(guard.isOpen()).toBe(false);
    await clock.pass(0);
    answers[0]?.reject(new Error('no database'));
    await clock.pass(999);
    expect(answers).toHaveLength(1);
    await clock.pass(1);
    expect(answers).toHaveLength(2);
    expect(guard.isOpen()).toBe(false);
    answers[1]?.resolve();
    await clock.pass(0);
    expect(guard.isOpen()).toBe(true);
  });

  it('does not believe an answer that came while it stood again', async () => {
    clock.standFor(20_000);
    expect(guard.isOpen()).toBe(false);
    await clock.pass(0);
    clock.standFor(20_000);
    answers[0]?.resolve();
    await clock.pass(0);
    expect(guard.isOpen()).toBe(false);
    expect(answers).toHaveLength(2);
    answers[1]?.resolve();
    await clock.pass(0);
    expect(guard.isOpen()).toBe(true);
  });

  it('is closed as well when another process may have taken over a call', async () => {
    guard.doubt();
    expect(guard.isOpen()).toBe(false);
    await clock.pass(0);
    expect(answers).toHaveLength(1);
    answers[0]?.resolve();
    await clock.pass(0);
    expect(guard.isOpen()).toBe(true);
  });

  it('ignores standstills before it starts to watch and after it has stopped', async () => {
    guard.unwatch();
    clock.standFor(60_000);
    await clock.pass(60_000);
    expect(guard.isOpen()).toBe(true);
    guard.watch();
    expect(guard.isOpen()).toBe(true);
    clock.standFor(60_000);
    expect(guard.isOpen()).toBe(false);
  });
});
