import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FRAME_MS, frameLength, samplesOf } from '@prosa/audio';
import { recordingFileName } from '../../../runtime/call/recording-file.js';
import type { SessionRecording } from '../../../runtime/call/session/session-facts.js';
import { CallRecorder } from '../../../voice/recording/call-recorder.js';
import { joined, partsOf } from './recording-parts.js';

const CALL = 7;
const RATE_HZ = 8_000;

describe('the recording of a call that outlived a process', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-parts-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** What a process records that has the call from one time since the answer to another: samples of this level. */
  async function record(
    fromMs: number,
    toMs: number,
    level: number,
    callId = CALL,
  ): Promise<SessionRecording> {
    let elapsedMs = fromMs;
    const recorder = new CallRecorder(folder, callId, (error) => {
      throw error;
    });
    recorder.begin(RATE_HZ, () => elapsedMs);
    while (elapsedMs < toMs) {
      elapsedMs += FRAME_MS;
      recorder.assistant(new Int16Array(frameLength(RATE_HZ)).fill(level));
    }
    return (await recorder.finish())!;
  }

  /** The levels of the whole, frame by frame. */
  async function levelsOf(last: SessionRecording): Promise<number[]> {
    const { path } = await joined(await partsOf(last), last);
    const right = samplesOf(await readFile(path)).filter((_, at) => at % 2 === 1);
    expect(right.length % frameLength(RATE_HZ)).toBe(0);
    return Array.from(right.filter((_, at) => at % frameLength(RATE_HZ) === 0));
  }

  it('is as long as the call, with each part at its time and silence in the gaps', async () => {
    await record(0, 100, 1);
    await record(0, 400, 9, CALL + 1);
    expect(await levelsOf(await record(160, 220, 2))).toEqual([1, 1, 1, 1, 1, 0, 0, 0, 2, 2, 2]);
  });

  it('is complete when processes died within a sample or before their first sample', async () => {
    await appendFile((await record(0, 60, 1)).path, Buffer.from([1, 2, 3]));
    const died = recordingFileName({ recordAs: CALL, startMs: 80, sampleRateHz: RATE_HZ });
    await writeFile(join(folder, died), '');
    await appendFile((await record(100, 140, 2)).path, Buffer.from([1]));
    expect(await levelsOf(await record(160, 200, 3))).toEqual([1, 1, 1, 0, 0, 2, 2, 0, 3, 3]);
  });

  it('has of two processes that recorded at once the one that had the line, and ends with it', async () => {
    await record(0, 300, 1);
    await record(60, 200, 2);
    expect(await levelsOf(await record(100, 140, 3))).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });

  it('is its only part where there is one', async () => {
    const only = await record(40, 80, 1);
    await expect(joined(await partsOf(only), only)).resolves.toEqual(only);
    expect(await levelsOf(only)).toEqual([0, 0, 1, 1]);
  });
});
