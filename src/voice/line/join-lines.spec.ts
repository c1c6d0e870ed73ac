import { describe, expect, it } from '@jest/globals';
import { framesOf, joined, strengthOf, tone } from '@prosa/testing';
import type { SampleRateHz } from '@prosa/audio';
import { EventQueue } from '../../providers/telephony/event-queue.js';
import type { LineClock } from '../../providers/telephony/line-clock.js';
import { joinLines } from './join-lines.js';

class Party {
  readonly sent: Int16Array[] = [];
  readonly heard = new EventQueue<Int16Array>();

  constructor(readonly sampleRateHz: SampleRateHz) {}

  send(frame: Int16Array): void {
    this.sent.push(frame);
  }

  clear(): void {}
}

describe('Two joined lines', () => {
  it('hear each other at the rates of their own, until the signal fires', async () => {
    const [caller, farEnd] = [new Party(8_000), new Party(16_000)];
    const ticks = new Set<() => void>();
    const clock = {
      add: (tick: () => void) => {
        ticks.add(tick);
        return () => ticks.delete(tick);
      },
    } as unknown as LineClock;
    const over = new AbortController();
    const joining = joinLines(caller, farEnd, over.signal, clock);
    const farFrames = [...framesOf(tone(900, 16_000, 600), 16_000)];
    for (const [at, frame] of [...framesOf(tone(500, 8_000, 600), 8_000)].entries()) {
      caller.heard.push(frame);
      farEnd.heard.push(farFrames[at] ?? new Int16Array(320));
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
      for (const tick of ticks) tick();
    }
    expect(strengthOf(900, joined(...caller.sent).slice(800), 8_000)).toBeGreaterThan(0.2);
    expect(strengthOf(500, joined(...caller.sent).slice(800), 8_000)).toBeLessThan(0.05);
    expect(strengthOf(500, joined(...farEnd.sent).slice(1_600), 16_000)).toBeGreaterThan(0.2);
    expect(strengthOf(900, joined(...farEnd.sent).slice(1_600), 16_000)).toBeLessThan(0.05);
    caller.heard.end();
    farEnd.heard.end();
    over.abort();
    await joining;
    expect(ticks.size).toBe(0);
  });

  it('end with the signal though a line goes on to be heard', async () => {
    const over = new AbortController();
    const clock = { add: () => () => undefined } as unknown as LineClock;
    const joining = joinLines(new Party(8_000), new Party(8_000), over.signal, clock);
    over.abort();
    await joining;
  });

  it('carry nothing once the signal has fired', async () => {
    const clock = {
      add: () => {
        throw new Error('the clock is used');
      },
    } as unknown as LineClock;
    await joinLines(new Party(8_000), new Party(8_000), AbortSignal.abort(), clock);
  });
});
