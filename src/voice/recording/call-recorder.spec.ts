import { appendFile, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { framesOf, strengthOf, tone } from '../../../test/support/voice/tones.js';
import { rmsOf, samplesOf } from '../../common/audio/pcm.js';
import { ffmpeg } from '../audio/ffmpeg.js';
import { CallRecorder } from './call-recorder.js';
import { finishRecording } from './finish-recording.js';

describe('CallRecorder', () => {
  let folder: string;
  let path: string;
  const errors: unknown[] = [];

  beforeEach(async () => {
    errors.length = 0;
    folder = await mkdtemp(join(tmpdir(), 'prosa-recorder-'));
    path = join(folder, 'call.raw');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function sides(file: string): Promise<[Int16Array, Int16Array]> {
    const both = samplesOf(await ffmpeg(['-i', file, '-f', 's16le', '-ar', '8000', '-'], 10_000));
    return [both.filter((_, at) => at % 2 === 0), both.filter((_, at) => at % 2 === 1)];
  }

  it('puts the customer on the left and the assistant on the right, at the same time', async () => {
    const recorder = new CallRecorder(path, (error) => errors.push(error));
    recorder.begin(8_000);
    const [low, high] = [tone(400, 8_000, 2_000), tone(1_200, 8_000, 2_000)].map((sound) => [
      ...framesOf(sound, 8_000),
    ]);
    for (let frame = 0; frame < 100; frame++) {
      recorder.customer(frame < 50 ? low![frame]! : new Int16Array(160));
      recorder.assistant(high![frame]!);
    }
    const recording = await recorder.finish();
    expect(recording).toEqual({ path: `${path}.ogg`, contentType: 'audio/ogg', durationMs: 2_000 });
    expect(await readdir(folder)).toEqual(['call.raw.ogg']);
    expect((await stat(`${path}.ogg`)).size).toBeLessThan(20_000);
    const [left, right] = await sides(`${path}.ogg`);
    expect(strengthOf(400, left.subarray(1_600, 6_400), 8_000)).toBeCloseTo(0.5, 1);
    expect(strengthOf(1_200, left.subarray(1_600, 6_400), 8_000)).toBeLessThan(0.02);
    expect(rmsOf(left.subarray(9_600))).toBeLessThan(0.02);
    expect(strengthOf(1_200, right.subarray(9_600, 14_400), 8_000)).toBeCloseTo(0.5, 1);
    expect(errors).toEqual([]);
  });

  it('leaves out what comes in too fast, rather than falling behind the call', async () => {
    const recorder = new CallRecorder(path, (error) => errors.push(error));
    recorder.begin(8_000);
    for (let frame = 0; frame < 100; frame++) {
      recorder.customer(new Int16Array(160).fill(frame < 80 ? 8_000 : 0));
      recorder.customer(new Int16Array(160));
      recorder.assistant(new Int16Array(160));
    }
    await recorder.finish();
    const [left] = await sides(`${path}.ogg`);
    expect(rmsOf(left.subarray(-1_600))).toBeLessThan(0.01);
  });

  it('makes a recording of what a process that died has left, down to the last whole sample', async () => {
    const samples = new Int16Array(16_000 * 2).map((_, at) => Math.round(Math.sin(at / 20) * 8_000));
    await writeFile(path, Buffer.from(samples.buffer));
    await appendFile(path, Buffer.from([1, 2, 3]));
    await expect(finishRecording(path, 16_000)).resolves.toMatchObject({ durationMs: 1_000 });
    expect(await readdir(folder)).toEqual(['call.raw.ogg']);
  });

  it('says when it cannot record, and lets the call go on', async () => {
    const recorder = new CallRecorder(join(folder, 'missing', 'call.raw'), (error) => errors.push(error));
    recorder.begin(8_000);
    for (let frame = 0; frame < 20; frame++) recorder.assistant(new Int16Array(160));
    await expect(recorder.finish()).resolves.toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code: 'ENOENT' });
  });

  it('leaves no file of a call that never began', async () => {
    await expect(new CallRecorder(path, () => {}).finish()).resolves.toBeNull();
    expect(await readdir(folder)).toEqual([]);
  });
});
