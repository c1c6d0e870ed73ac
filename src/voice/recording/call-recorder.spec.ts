import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gapsIn } from '../../../test/long/calls/recording-gaps.js';
import { framesOf, joined, strengthOf, tone } from '@prosa/testing';
import { BeepDetector } from '../../common/audio/beep-detector.js';
import { KeypadDetector, keypadTones, rmsOf, samplesOf } from '@prosa/audio';
import { recordingFileOf } from '../../runtime/call/recording-file.js';
import type { SessionRecording } from '../../runtime/call/session/assistant-session.js';
import { ffmpeg } from '../audio/ffmpeg.js';
import { CallRecorder } from './call-recorder.js';
import { packRecording } from './pack-recording.js';

describe('CallRecorder', () => {
  let folder: string;
  const errors: unknown[] = [];

  beforeEach(async () => {
    errors.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'prosa-recorder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const recorderIn = (path: string) => new CallRecorder(path, 77, (error) => errors.push(error));

  async function sides(recording: SessionRecording | null): Promise<[Int16Array, Int16Array]> {
    const packed = join(folder, 'packed.ogg');
    await expect(packRecording(recording!, packed)).resolves.toBe(true);
    const both = samplesOf(await ffmpeg(['-i', packed, '-f', 's16le', '-ar', '8000', '-'], 10_000));
    return [both.filter((_, at) => at % 2 === 0), both.filter((_, at) => at % 2 === 1)];
  }

  it('puts the customer on the left and the assistant on the right, at the same time', async () => {
    const recorder = recorderIn(folder);
    recorder.begin(8_000);
    const [low, high] = [tone(400, 8_000, 2_000), tone(1_200, 8_000, 2_000)].map((sound) => [
      ...framesOf(sound, 8_000),
    ]);
    for (let frame = 0; frame < 100; frame++) {
      recorder.customer(frame < 50 ? low![frame]! : new Int16Array(160));
      recorder.assistant(high![frame]!);
    }
    const recording = await recorder.finish();
    const [name = '', ...others] = await readdir(folder);
    expect(others).toEqual([]);
    expect(recordingFileOf(name)).toEqual({ recordAs: 77, startMs: 0, sampleRateHz: 8_000 });
    expect(recording).toEqual({ path: join(folder, name), sampleRateHz: 8_000 });
    const [left, right] = await sides(recording);
    expect((await stat(join(folder, 'packed.ogg'))).size).toBeLessThan(20_000);
    expect(strengthOf(400, left.subarray(1_600, 6_400), 8_000)).toBeCloseTo(0.5, 1);
    expect(strengthOf(1_200, left.subarray(1_600, 6_400), 8_000)).toBeLessThan(0.02);
    expect(rmsOf(left.subarray(9_600))).toBeLessThan(0.02);
    expect(strengthOf(1_200, right.subarray(9_600, 14_400), 8_000)).toBeCloseTo(0.5, 1);
    expect(errors).toEqual([]);
  });

  it('has the times of the call, before it began as well as where the process stood still', async () => {
    const recorder = recorderIn(folder);
    let elapsedMs = 1_500;
    recorder.begin(8_000, () => elapsedMs);
    const frames = [...framesOf(tone(1_200, 8_000, 1_000), 8_000)];
    for (const [at, frame] of frames.entries()) {
      // For a second no frame came; a late one is none that is missing.
      elapsedMs += at === 25 ? 1_020 : at === 10 ? 80 : at === 11 ? -40 : 20;
      recorder.assistant(frame);
    }
    const recording = await recorder.finish();
    expect(recordingFileOf(basename(recording!.path))).toMatchObject({ startMs: 1_500 });
    const [left, right] = await sides(recording);
    expect(right.length / 8_000).toBeCloseTo(3.5, 1);
    expect(rmsOf(left)).toBeLessThan(0.01);
    const strength = (fromMs: number, toMs: number) =>
      strengthOf(1_200, right.subarray(fromMs * 8, toMs * 8), 8_000);
    expect(strength(0, 1_400)).toBeLessThan(0.02);
    expect(strength(1_600, 1_900)).toBeCloseTo(0.5, 1);
    expect(strength(2_150, 2_900)).toBeLessThan(0.02);
    expect(strength(3_100, 3_400)).toBeCloseTo(0.5, 1);
  });

  it('is silent where the line gave up frames, not in a longer stretch later on', async () => {
    const recorder = recorderIn(folder);
    let elapsedMs = 0;
    recorder.begin(8_000, () => elapsedMs);
    for (const [at, frame] of [...framesOf(tone(1_200, 8_000, 3_000), 8_000)].entries()) {
      const skipped = at % 20 === 10 ? 2 : 0;
      elapsedMs += 20 + skipped * 20;
      recorder.assistant(frame, skipped);
    }
    const recording = await recorder.finish();
    const right = samplesOf(await readFile(recording!.path)).filter((_, at) => at % 2 === 1);
    expect(right.length / 160).toBe(150 + 7 * 2);
    expect(gapsIn(right, 20)).toEqual(
      Array.from({ length: 7 }, (_, gap) => ({ atMs: (gap * 22 + 10) * 20, lengthMs: 40 })),
    );
  });

  /** The customer's side of a recording. */
  async function customerOf(recording: SessionRecording | null): Promise<Int16Array[]> {
    const both = samplesOf(await readFile(recording!.path));
    return [
      ...framesOf(
        both.filter((_, at) => at % 2 === 0),
        8_000,
      ),
    ];
  }

  /** Frames of the customer that come late, `latenessOf` frames after their time; the assistant's go out in time. */
  async function recordLate(sound: Int16Array, latenessOf: (frame: number) => number): Promise<Int16Array[]> {
    const recorder = recorderIn(folder);
    let elapsedMs = 0;
    recorder.begin(8_000, () => elapsedMs);
    const frames = [...framesOf(sound, 8_000)];
    let next = 0;
    for (let now = 0; now < frames.length; now++) {
      elapsedMs = now * 20 + 20;
      for (; next < frames.length && next + latenessOf(next) <= now; next++) recorder.customer(frames[next]!);
      recorder.assistant(new Int16Array(160));
    }
    for (; next < frames.length; next++) recorder.customer(frames[next]!);
    return customerOf(await recorder.finish());
  }

  it.each([
    ['two frames late now and then', (frame: number) => (frame % 5 === 2 ? 2 : 0)],
    ['late in bursts of 400 ms', (frame: number) => 20 - (frame % 20)],
    ['late by two seconds once', (frame: number) => (frame >= 30 && frame < 130 ? 130 - frame : 0)],
  ])('has each key once, at its time, where frames are %s', async (_how, latenessOf) => {
    const keys = keypadTones('42#9', 8_000);
    const sound = new Int16Array(160 * 200);
    sound.set(keys, 160 * 40);
    const customer = await recordLate(sound, latenessOf);
    expect(joined(...customer).subarray(0, sound.length)).toEqual(sound);
    const detector = new KeypadDetector(8_000);
    expect(customer.map((frame) => detector.hear(frame) ?? '').join('')).toBe('42#9');
  });

  it('does not cut a key in two where frames are late by more and more', async () => {
    const sound = new Int16Array(160 * 250);
    sound.set(keypadTones('1234567890', 8_000), 160 * 60);
    const customer = await recordLate(sound, (frame) => Math.floor(frame / 6));
    const detector = new KeypadDetector(8_000);
    expect(customer.map((frame) => detector.hear(frame) ?? '').join('')).toBe('1234567890');
  });

  it('has the beep of a machine whole where its frames are late', async () => {
    const sound = new Int16Array(160 * 150);
    sound.set(tone(1_000, 8_000, 400, 0.3), 160 * 60);
    const customer = await recordLate(sound, (frame) => (frame * 7) % 9);
    const beep = new BeepDetector(8_000, 10);
    expect(customer.findIndex((frame) => beep.hear(frame))).toBeGreaterThan(60);
  });

  it('keeps its place where a line has lost frames for good', async () => {
    const recorder = recorderIn(folder);
    let elapsedMs = 0;
    recorder.begin(8_000, () => elapsedMs);
    for (let now = 0; now < 400; now++) {
      elapsedMs += 20;
      // For a second and a half nothing came, and never does.
      if (now < 100 || now >= 175) recorder.customer(new Int16Array(160).fill(now === 300 ? 9_000 : 100));
      recorder.assistant(new Int16Array(160));
    }
    const customer = await customerOf(await recorder.finish());
    expect(Math.abs(customer.findIndex(({ 0: sample }) => sample === 9_000) - 300)).toBeLessThanOrEqual(2);
  });

  it('waits five seconds for a side at the most, so that what waits stays small', async () => {
    const recorder = recorderIn(folder);
    recorder.begin(8_000);
    for (let now = 0; now < 1_000; now++) recorder.assistant(new Int16Array(160).fill(5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [name = ''] = await readdir(folder);
    expect((await stat(join(folder, name))).size).toBeGreaterThan(700 * 640);
    const both = samplesOf(await readFile((await recorder.finish())!.path));
    expect(both.length).toBe(1_000 * 320);
  });

  it('leaves out what comes in too fast, rather than falling behind the call', async () => {
    const recorder = recorderIn(folder);
    recorder.begin(8_000);
    for (let frame = 0; frame < 100; frame++) {
      recorder.customer(new Int16Array(160).fill(frame < 80 ? 8_000 : 0));
      recorder.customer(new Int16Array(160));
      recorder.assistant(new Int16Array(160));
    }
    const [left] = await sides(await recorder.finish());
    expect(rmsOf(left.subarray(-1_600))).toBeLessThan(0.01);
  });

  it('makes a recording of what a process that died has left, down to the last whole sample', async () => {
    const path = join(folder, 'left.raw');
    const samples = new Int16Array(16_000 * 2).map((_, at) => Math.round(Math.sin(at / 20) * 8_000));
    await writeFile(path, Buffer.from(samples.buffer));
    await appendFile(path, Buffer.from([1, 2, 3]));
    const [left] = await sides({ path, sampleRateHz: 16_000 });
    expect(Math.abs(left.length - 8_000)).toBeLessThan(400);
    expect((await readdir(folder)).sort()).toEqual(['left.raw', 'packed.ogg']);
  });

  it('says when it cannot record, and lets the call go on', async () => {
    const recorder = recorderIn(join(folder, 'missing'));
    recorder.begin(8_000);
    for (let frame = 0; frame < 20; frame++) recorder.assistant(new Int16Array(160));
    await expect(recorder.finish()).resolves.toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'ENOENT' });
  });

  it('leaves no file of a call that never began', async () => {
    await expect(recorderIn(folder).finish()).resolves.toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });
});
