import { beforeEach, describe, expect, it } from '@jest/globals';
import { LineClock } from '../../../providers/telephony/line-clock.js';
import { StereoSound } from './stereo-sound.js';

const FRAME_SAMPLES = 480;

/** A clock whose time passes when a test says so. */
class ManualClock extends LineClock {
  private readonly onTicks = new Set<(skipped: number) => void>();

  override add(onTick: (skipped: number) => void): () => void {
    this.onTicks.add(onTick);
    return () => void this.onTicks.delete(onTick);
  }

  pass(frames: number): void {
    for (let frame = 0; frame < frames; frame++) for (const tick of this.onTicks) tick(0);
  }

  get isRunning(): boolean {
    return this.onTicks.size > 0;
  }
}

const full = (value: number, samples = FRAME_SAMPLES) => new Int16Array(samples).fill(value);

describe('the sound of both directions of a line', () => {
  let clock: ManualClock;
  let frames: Buffer[];
  let sound: StereoSound;

  beforeEach(() => {
    clock = new ManualClock();
    frames = [];
    sound = new StereoSound((frame) => frames.push(frame), clock);
  });

  const samplesOf = (frame: Buffer = Buffer.alloc(0)) => [frame.readInt16LE(0), frame.readInt16LE(2)];

  it('has the customer on the left, and what is sent on the right', () => {
    sound.start();
    sound.heard(full(1_000), 24_000);
    sound.sent(full(-2_000), 24_000);
    clock.pass(2);
    expect(frames.map(({ length }) => length)).toEqual([1_920, 1_920]);
    expect(frames.map(samplesOf)).toEqual([
      [1_000, -2_000],
      [0, 0],
    ]);
  });

  it('is of one rate, whatever the line has', () => {
    sound.start();
    for (let frame = 0; frame < 4; frame++) sound.heard(full(1_000, 160), 8_000);
    clock.pass(4);
    // The filter has settled by the last frame.
    const [left] = samplesOf(frames[3]);
    expect(Math.abs((left ?? 0) - 1_000)).toBeLessThan(20);
  });

  it('copies, so that a sender may change its frame', () => {
    sound.start();
    const frame = full(500);
    sound.sent(frame, 24_000);
    frame.fill(9);
    clock.pass(1);
    expect(samplesOf(frames[0])).toEqual([0, 500]);
  });

  it('keeps half a second at most, and drops the oldest', () => {
    sound.start();
    for (let frame = 1; frame <= 1_000; frame++) sound.heard(full(frame + 1_000), 24_000);
    clock.pass(30);
    const heard = frames.map((frame) => frame.readInt16LE(0));
    expect(heard.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, at) => 1_976 + at));
    expect(heard.slice(25)).toEqual([0, 0, 0, 0, 0]);
  });

  it('makes up for late sound in the pauses', () => {
    sound.start();
    for (let frame = 0; frame < 20; frame++) sound.heard(full(0), 24_000);
    sound.heard(full(3_000), 24_000);
    clock.pass(6);
    expect(frames.some((frame) => frame.readInt16LE(0) === 3_000)).toBe(true);
  });

  it('takes nothing, and no time, while it is stopped', () => {
    sound.heard(full(1_000), 24_000);
    expect(clock.isRunning).toBe(false);
    sound.start();
    clock.pass(1);
    sound.heard(full(1_000), 24_000);
    sound.stop();
    expect(clock.isRunning).toBe(false);
    sound.start();
    clock.pass(1);
    expect(frames.map(samplesOf)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });
});
