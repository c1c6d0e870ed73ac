import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { joined, strengthOf, tone } from '@prosa/testing';
import { rmsOf } from '@prosa/audio';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import type { LineClock } from '../../providers/telephony/line-clock.js';
import type { SampleSource } from '../audio/sample-source.js';
import { LineMixer } from './line-mixer.js';
import { LoopedSound } from './looped-sound.js';

/** A line of 8 kHz that is ticked by hand. */
function lineWith(ambience: SampleSource | null = null) {
  const speech = new SampleQueue();
  const sent: Int16Array[] = [];
  let cleared = 0;
  let onTick = () => {};
  const clock = {
    add: (tick: () => void) => {
      onTick = tick;
      return () => {
        onTick = () => {};
      };
    },
  } as unknown as LineClock;
  const tapped: Int16Array[] = [];
  const line = { sampleRateHz: 8_000, send: (frame: Int16Array) => sent.push(frame), clear: () => cleared++ };
  const mixer = new LineMixer(line, { speech, clock, onFrame: (frame) => tapped.push(frame) });
  mixer.surround(ambience);
  mixer.start();
  const run = (frames: number) => {
    const from = sent.length;
    for (let frame = 0; frame < frames; frame++) onTick();
    return joined(...sent.slice(from));
  };
  return { mixer, speech, run, sent, tapped, cleared: () => cleared };
}

describe('LineMixer', () => {
  it('sends a frame for every tick, with the speech as it came and silence after it', () => {
    const { speech, run, sent, tapped } = lineWith();
    const words = tone(440, 8_000, 50);
    speech.push(words);
    const heard = run(5);
    expect(sent.every(({ length }) => length === 160)).toBe(true);
    expect(heard.subarray(0, words.length)).toEqual(words);
    expect(rmsOf(heard.subarray(words.length))).toBe(0);
    expect(tapped).toEqual(sent);
  });

  it('plays the sound around at its volume, under speech as in its pauses', () => {
    const around = tone(1_000, 8_000, 1_000, 0.4);
    const { speech, run } = lineWith(new LoopedSound(around, 0.5));
    const pause = run(25);
    expect(strengthOf(1_000, pause, 8_000)).toBeCloseTo(0.2, 2);
    speech.push(tone(440, 8_000, 500, 0.3));
    const both = run(25);
    expect(strengthOf(1_000, both, 8_000)).toBeCloseTo(0.2, 2);
    expect(strengthOf(440, both, 8_000)).toBeCloseTo(0.3, 2);
  });

  it('clips what is too loud for the line rather than wrapping around', () => {
    const { speech, run } = lineWith(new LoopedSound(new Int16Array(160).fill(20_000), 1));
    speech.push(new Int16Array(160).fill(30_000));
    expect(run(1).every((sample) => sample === 32_767)).toBe(true);
  });

  it('plays an announcement in place of speech and music, which go on where they were, and which no clearing cuts', async () => {
    const { mixer, speech, run } = lineWith();
    speech.push(tone(440, 8_000, 400, 0.5));
    run(5);
    let isOver = false;
    const over = mixer.announce(tone(900, 8_000, 200, 0.4)).then(() => (isOver = true));
    expect(mixer.isAnnouncing).toBe(true);
    mixer.clear();
    mixer.hold(new LoopedSound(tone(600, 8_000, 100, 0.2), 1));
    const announced = run(9);
    expect(strengthOf(900, announced, 8_000)).toBeCloseTo(0.4, 2);
    expect(strengthOf(600, announced, 8_000)).toBeLessThan(0.01);
    await setImmediate();
    expect(isOver).toBe(false);
    run(1);
    await over;
    expect([mixer.isAnnouncing, speech.length]).toEqual([false, 2_400]);
    expect(strengthOf(600, run(5), 8_000)).toBeCloseTo(0.2, 2);
    mixer.unhold();
    expect(strengthOf(440, run(15), 8_000)).toBeCloseTo(0.5, 1);
  });

  it('lets an announcement wait while the far end does not listen, and ends it with the line', async () => {
    const { mixer, run } = lineWith();
    mixer.mute(true);
    const over = mixer.announce(tone(900, 8_000, 200, 0.4));
    mixer.addSignal(tone(1_400, 8_000, 200, 0.1));
    expect(rmsOf(run(20))).toBe(0);
    mixer.mute(false);
    const heard = run(5);
    expect(strengthOf(900, heard, 8_000)).toBeCloseTo(0.4, 2);
    expect(strengthOf(1_400, heard, 8_000)).toBeLessThan(0.01);
    mixer.stop();
    await over;
    await mixer.announce(tone(900, 8_000, 200, 0.4));
  });

  it('adds a signal to what is heard', () => {
    const { mixer, speech, run } = lineWith();
    speech.push(tone(440, 8_000, 100, 0.3));
    mixer.addSignal(tone(1_400, 8_000, 200, 0.1));
    const both = run(5);
    expect(strengthOf(440, both, 8_000)).toBeCloseTo(0.3, 2);
    expect(strengthOf(1_400, both, 8_000)).toBeCloseTo(0.1, 2);
    expect(strengthOf(1_400, run(5), 8_000)).toBeCloseTo(0.1, 2);
    expect(rmsOf(run(5))).toBe(0);
  });

  it('plays music alone while the customer is on hold, and the speech from where it was afterwards', () => {
    const { mixer, speech, run } = lineWith(new LoopedSound(tone(1_000, 8_000, 100, 0.4), 1));
    speech.push(tone(440, 8_000, 400, 0.5));
    run(5);
    mixer.hold(new LoopedSound(tone(600, 8_000, 100, 0.2), 1));
    const held = run(25);
    expect(strengthOf(600, held, 8_000)).toBeCloseTo(0.2, 2);
    expect(strengthOf(1_000, held, 8_000)).toBeLessThan(0.01);
    mixer.hold(null);
    expect(rmsOf(run(5))).toBe(0);
    mixer.unhold();
    expect(strengthOf(440, run(15), 8_000)).toBeCloseTo(0.5, 1);
    expect(speech.length).toBe(0);
  });

  it('tells when keypad tones are over, which they are at once where nothing is sent any more', async () => {
    const { mixer, run } = lineWith();
    const over: string[] = [];
    const playing = mixer.play(tone(697, 8_000, 60, 0.5)).then(() => over.push('tones'));
    run(2);
    await setImmediate();
    expect(over).toEqual([]);
    run(1);
    await playing;
    const cut = mixer.play(tone(697, 8_000, 60, 0.5));
    mixer.stop();
    await cut;
    await mixer.play(tone(697, 8_000, 60, 0.5));
    expect(over).toEqual(['tones']);
  });

  it('sends keypad tones alone, and drops them with all else when it is cleared', async () => {
    const { mixer, run, cleared } = lineWith(new LoopedSound(tone(1_000, 8_000, 100, 0.4), 1));
    const playing = mixer.play(tone(697, 8_000, 200, 0.5));
    const heard = run(5);
    expect(strengthOf(697, heard, 8_000)).toBeCloseTo(0.5, 1);
    expect(strengthOf(1_000, heard, 8_000)).toBeLessThan(0.02);
    mixer.clear();
    await playing;
    expect(mixer.isPlayingTones).toBe(false);
    expect(cleared()).toBe(1);
    expect(strengthOf(697, run(5), 8_000)).toBeLessThan(0.02);
  });

  it('sends nothing more once it has stopped', () => {
    const { mixer, run } = lineWith();
    mixer.stop();
    expect(run(3).length).toBe(0);
  });
});
