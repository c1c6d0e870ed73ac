import { describe, expect, it } from '@jest/globals';
import { AudioFrame } from '@livekit/rtc-node';
import { framesOf, joined } from './sound-frames.js';

const counted = (from: number, length: number) => Int16Array.from({ length }, (_, index) => from + index);

describe('frames of a sound', () => {
  it('hold every sample once, in order, in pieces of 20 ms whatever comes', async () => {
    const parts = [counted(0, 7), counted(7, 900), counted(907, 0), counted(907, 100)];
    const lengths: number[] = [];
    const samples: number[] = [];
    for await (const frame of framesOf(parts, 24_000)) {
      expect(frame).toMatchObject({ sampleRate: 24_000, channels: 1, samplesPerChannel: frame.data.length });
      lengths.push(frame.data.length);
      samples.push(...frame.data);
    }
    expect(lengths).toEqual([480, 480, 47]);
    expect(samples).toEqual([...counted(0, 1_007)]);
  });

  it('of a long line let a timer fire before the line is through', async () => {
    let isFired = false;
    setTimeout(() => (isFired = true), 1);
    let firedAt = 0;
    let frames = 0;
    for await (const _frame of framesOf([new Int16Array(24_000 * 600)], 24_000)) {
      frames++;
      if (isFired && firedAt === 0) firedAt = frames;
    }
    expect(frames).toBe(30_000);
    expect(firedAt).toBeGreaterThan(0);
    expect(firedAt).toBeLessThan(frames);
  });
});

describe('frames joined', () => {
  const frame = (from: number, length: number) => new AudioFrame(counted(from, length), 16_000, 1, length);

  it('are one that holds every sample in order, and copies them', () => {
    const frames = [frame(0, 160), frame(160, 7), frame(167, 160)];
    const whole = joined(frames);
    frames[0]?.data.fill(0);
    expect(whole).toMatchObject({ sampleRate: 16_000, channels: 1, samplesPerChannel: 327 });
    expect([...whole.data]).toEqual([...counted(0, 327)]);
  });

  it('are refused where there are none', () => {
    expect(() => joined([])).toThrow(RangeError);
  });
});
