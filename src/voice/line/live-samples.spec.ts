import { beforeEach, describe, expect, it } from '@jest/globals';
import { framesOf, joined, tone } from '@prosa/testing';
import { rmsOf } from '@prosa/audio';
import { LiveSamples } from './live-samples.js';

describe('LiveSamples', () => {
  let live: LiveSamples;
  beforeEach(() => {
    live = new LiveSamples(8_000);
  });

  function play(frames: number): Int16Array[] {
    return Array.from({ length: frames }, () => {
      const frame = new Int16Array(160);
      live.read(frame);
      return frame;
    });
  }

  it('plays what came late as a whole, and makes up for it in the next pause', () => {
    const words = [...framesOf(tone(440, 8_000, 300, 0.4), 8_000)];
    // 300 ms of words come at once.
    for (const frame of words) live.push(frame);
    const played = play(15);
    expect(joined(...played)).toEqual(joined(...words));
    for (const frame of words) live.push(frame);
    for (let frame = 0; frame < 10; frame++) live.push(new Int16Array(160));
    const after = play(20);
    expect(after.filter((frame) => rmsOf(frame) > 0.1)).toHaveLength(15);
    live.push(tone(880, 8_000, 20, 0.4));
    expect(play(6).findIndex((frame) => rmsOf(frame) > 0.1)).toBeLessThanOrEqual(5);
  });

  it('never falls behind by more than half a second', () => {
    for (const frame of framesOf(tone(440, 8_000, 4_000, 0.4), 8_000)) live.push(frame);
    expect(play(60).filter((frame) => rmsOf(frame) > 0.1).length).toBeLessThanOrEqual(25);
  });
});
