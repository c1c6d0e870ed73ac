import { initializeLogger } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { framesOf, strengthOf, tone } from '@prosa/testing';
import { rmsOf } from '@prosa/audio';
import { type HeardSpeech, SessionOutput } from './session-output.js';
import { SpokenWords } from './spoken-words.js';

describe('SessionOutput', () => {
  let output: SessionOutput;
  let started: number;
  let silenced: number;
  let queued: number;
  let over: boolean[];
  let progress: string[];
  let finished: HeardSpeech[];
  let reported: { playbackPosition: number; interrupted: boolean; synchronizedTranscript?: string }[];

  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
  beforeEach(() => {
    started = 0;
    queued = 0;
    over = [];
    silenced = 0;
    progress = [];
    finished = [];
    reported = [];
    output = new SessionOutput(8_000, {
      onQueued: () => queued++,
      onStarted: () => started++,
      onSilenced: () => silenced++,
      onProgress: (speech) => progress.push(speech.text),
      onFinished: (speech) => finished.push(speech),
      onOver: (isLast) => over.push(isLast),
    });
    output.on('playbackFinished', (event) => reported.push(event));
  });

  /** Speech of 24 kHz, as voices make it. */
  async function speak(ms: number, text = '', isWhole = true): Promise<void> {
    const words = new SpokenWords();
    words.add(text);
    output.wordsOf(words);
    for (const frame of framesOf(tone(440, 24_000, ms), 24_000))
      await output.captureFrame(new AudioFrame(frame, 24_000, 1, frame.length));
    if (isWhole) output.flush();
  }

  function play(ms: number): Int16Array {
    const heard = new Int16Array(8 * ms);
    for (let at = 0; at < heard.length; at += 160) output.read(heard.subarray(at, at + 160));
    return heard;
  }

  it('plays what it is given at the pace and the rate of the line, and then says that all was heard', async () => {
    await speak(500, 'Bom dia.');
    const [first, rest] = [play(300), play(300)];
    expect(strengthOf(440, first.subarray(80), 8_000)).toBeCloseTo(0.5, 1);
    expect(rmsOf(rest.subarray(0, 1_600))).toBeCloseTo(0.35, 1);
    expect(rmsOf(rest.subarray(1_600))).toBe(0);
    expect(reported).toEqual([{ playbackPosition: 0.5, interrupted: false }]);
    expect(finished).toMatchObject([{ text: 'Bom dia.', interrupted: false }]);
    expect(started).toBe(1);
    await expect(output.waitForPlayout()).resolves.toMatchObject({ playbackPosition: 0.5 });
  });

  it('tells exactly how much was heard of what is cut, and in words', async () => {
    await speak(4_000, 'Um dois três quatro cinco seis sete oito.');
    play(1_000);
    output.clearBuffer();
    expect(reported).toEqual([{ playbackPosition: 1, interrupted: true, synchronizedTranscript: 'Um dois' }]);
    expect(finished).toMatchObject([{ text: 'Um dois', interrupted: true }]);
    expect(silenced).toBe(1);
    expect(rmsOf(play(100))).toBe(0);
  });

  it('reckons what was heard of speech that is cut while its sound is still being made', async () => {
    await speak(1_000, 'Um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze.', false);
    play(500);
    // As the engine does it.
    output.flush();
    output.clearBuffer();
    expect(finished).toMatchObject([{ text: 'Um dois', interrupted: true }]);
  });

  it('tells of long speech while it goes on', async () => {
    await speak(8_000, 'Um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze.');
    play(5_000);
    expect(progress).toEqual(['Um dois', 'Um dois três', 'Um dois três quatro cinco seis sete']);
  });

  it('reports that speech waits, and when the last of it is over', async () => {
    await speak(500, 'Bom dia.');
    await speak(500, 'Tudo bem?');
    expect([queued, started]).toEqual([2, 0]);
    play(600);
    expect(over).toEqual([false]);
    play(600);
    expect(over).toEqual([false, true]);
  });

  it('reports once that all speech is over when it is cut', async () => {
    await speak(500, 'Bom dia.');
    await speak(500, 'Tudo bem?');
    output.clearBuffer();
    output.clearBuffer();
    expect(over).toEqual([true]);
  });

  it('does not count as heard what was cut before its first sound', async () => {
    await speak(500, 'Nunca ouvido.');
    output.clearBuffer();
    expect(reported).toMatchObject([{ playbackPosition: 0, interrupted: true, synchronizedTranscript: '' }]);
    expect(finished).toEqual([]);
  });

  it('falls silent with a pause however often it is asked, and goes on where it was', async () => {
    await speak(1_000);
    play(400);
    for (let again = 0; again < 5; again++) output.pause();
    expect(rmsOf(play(2_000))).toBe(0);
    output.resume();
    output.resume();
    expect(rmsOf(play(600))).toBeGreaterThan(0.3);
    expect(reported).toEqual([{ playbackPosition: 1, interrupted: false }]);
    expect([started, silenced]).toEqual([1, 1]);
  });

  it('starts speech that came during a pause only when it is heard', async () => {
    output.pause();
    await speak(200);
    play(100);
    expect(started).toBe(0);
    output.resume();
    play(300);
    expect(started).toBe(1);
    expect(reported).toHaveLength(1);
  });

  it('is silent, and not at an end, while a voice is slower than the line', async () => {
    await speak(100, '', false);
    expect(rmsOf(play(300).subarray(800))).toBe(0);
    expect(reported).toEqual([]);
    await speak(100);
    play(200);
    expect(reported).toEqual([{ playbackPosition: 0.2, interrupted: false }]);
  });

  it('plays one stretch of speech right behind the other, and reports each', async () => {
    await speak(120, 'Um.');
    await speak(120, 'Dois.');
    const heard = play(240);
    expect(rmsOf(heard.subarray(880, 1_040))).toBeGreaterThan(0.3);
    expect(finished.map(({ text }) => text)).toEqual(['Um.', 'Dois.']);
  });

  it('takes the words also after the first sound, as a realtime model sends them', async () => {
    for (const frame of framesOf(tone(440, 24_000, 100), 24_000))
      await output.captureFrame(new AudioFrame(frame, 24_000, 1, frame.length));
    const words = new SpokenWords();
    output.wordsOf(words);
    words.add('Depois.');
    output.flush();
    play(200);
    expect(finished).toMatchObject([{ text: 'Depois.' }]);
  });

  it('keeps five minutes at most of a model that does not end', async () => {
    const second = new AudioFrame(tone(440, 24_000, 1_000), 24_000, 1, 24_000);
    for (let count = 0; count < 310; count++) await output.captureFrame(second);
    output.flush();
    const frame = new Int16Array(8_000);
    for (let count = 0; count < 301; count++) output.read(frame);
    expect(reported).toMatchObject([{ playbackPosition: 300 }]);
  });
});
