import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import { CallTermination } from '../state/call-termination.js';
import { SilenceWatch } from './silence-watch.js';
import { Silence } from './silence.js';

describe('SilenceWatch', () => {
  let clock: VirtualClock;
  let watch: SilenceWatch;
  let dueAtMs: number | null;

  beforeEach(() => {
    clock = new VirtualClock();
    dueAtMs = null;
    const silence = new Silence({
      maxSilenceMs: 30_000,
      maxInitialSilenceMs: null,
      reengagementIntervalMs: 10_000,
      reengagementPrompt: null,
    });
    watch = new SilenceWatch(silence, clock, () => false, false);
    void watch.next(new CallTermination(clock)).then(() => (dueAtMs = clock.nowMs()));
  });

  it('does not count silence while a person has the customer, and counts it anew afterwards', async () => {
    await clock.pass(20_000);
    watch.pause('person', true);
    await clock.pass(60_000);
    expect(dueAtMs).toBeNull();
    watch.pause('person', false);
    await clock.pass(29_000);
    expect(dueAtMs).toBeNull();
    await clock.pass(2_000);
    expect(dueAtMs).toBe(110_000);
  });

  it('goes on only when nothing pauses it', async () => {
    watch.pause('person', true);
    watch.pause('transfer', true);
    watch.pause('transfer', false);
    await clock.pass(60_000);
    expect(dueAtMs).toBeNull();
  });
});
