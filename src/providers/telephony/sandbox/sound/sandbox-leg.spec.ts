import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KeypadDetector, keypadTones } from '@prosa/audio';
import { LineClock } from '../../line-clock.js';
import { RemoteParty } from './remote-party.js';
import { SandboxLeg } from './sandbox-leg.js';

/** Presses keys as soon as it is called. */
class KeyPresser extends RemoteParty {
  constructor(digits: string) {
    super({ sampleRateHz: 8_000, say: async () => new Int16Array(0), onHangUp: () => {} });
    this.play(keypadTones(digits, 8_000));
  }

  protected live(): void {}
}

describe('SandboxLeg', () => {
  let nowMs: number;
  beforeEach(() => {
    nowMs = 0;
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is late where the process is held up, and says everything once all the same', async () => {
    const clock = new LineClock(() => nowMs);
    const leg = new SandboxLeg(new KeyPresser('42#'), clock);
    leg.start();
    const { heard } = leg.open(new AbortController().signal);
    for (const pauseMs of [20, 60, 340, 20, 20, 120, 500]) {
      nowMs += pauseMs;
      jest.advanceTimersByTime(pauseMs);
    }
    leg.end();
    const keys = new KeypadDetector(8_000);
    let frames = 0;
    let pressed = '';
    for await (const frame of heard) {
      frames++;
      pressed += keys.hear(frame) ?? '';
    }
    expect(pressed).toBe('42#');
    expect(frames).toBe(1_080 / 20);
  });
});
