import { rename, stat } from 'node:fs/promises';
import type { SessionRecording } from '../../runtime/call/session/assistant-session.js';
import { ffmpeg } from '../audio/ffmpeg.js';

const BYTES_PER_STEREO_SAMPLE = 4;
/** Of both sides together: about 280 kB a minute. */
const BIT_RATE = '32k';
/**
 * Not `voip`: there libopus codes both sides as one voice and its difference. Where one side begins to speak, the
 * other is then silent for up to 80 ms.
 */
const APPLICATION = 'audio';
/** Half an hour takes about twenty seconds. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Packs the raw samples of a CallRecorder as Ogg/Opus, stereo, into a file of its own; the samples stay. It is the same for a
 * call that has ended and for one whose process died: an incomplete last sample is left out.
 *
 * @param to path of the recording, which is there when it is whole
 * @returns false when there is not a single sample
 * @throws FfmpegMissing, or the error of ffmpeg
 */
export async function packRecording({ path, sampleRateHz }: SessionRecording, to: string): Promise<boolean> {
  if ((await stat(path)).size < BYTES_PER_STEREO_SAMPLE) return false;
  const input = ['-f', 's16le', '-ar', String(sampleRateHz), '-ac', '2', '-i', path];
  const output = ['-c:a', 'libopus', '-b:a', BIT_RATE, '-application', APPLICATION, '-f', 'ogg', '-y'];
  await ffmpeg([...input, ...output, `${to}.part`], TIMEOUT_MS);
  await rename(`${to}.part`, to);
  return true;
}
