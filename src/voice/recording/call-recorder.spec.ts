import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { gapsIn } from '../../../test/long/calls/recording-gaps.js';
import { framesOf, strengthOf, tone } from '../../../test/support/voice/tones.js';
import { rmsOf, samplesOf } from '../../common/audio/pcm.js';
import { recordingFileOf } from '../../runtime/call/recording-file.js';
import type { TalkRecording } from '../../runtime/call/talk.js';
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

  async function sides(recording: TalkRecording | null): Promise<[Int16Array, Int16Array]> {
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
