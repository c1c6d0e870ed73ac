import { rename, rm, stat } from 'node:fs/promises';
import type { TalkRecording } from '../../runtime/call/talk.js';
import { ffmpeg } from '../audio/ffmpeg.js';

const BYTES_PER_STEREO_SAMPLE = 4;
const BIT_RATE = '32k';
/** Half an hour takes about twenty seconds. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Makes a recording (Ogg/Opus, stereo) of the raw samples of a CallRecorder, and removes them. It is the same for a call that has
 * ended and for one whose process died: an incomplete last sample is left out.
 *
 * @param rawPath of stereo PCM16, little-endian
 * @throws FfmpegMissing, or the error of ffmpeg; the samples stay
 */
export async function finishRecording(rawPath: string, sampleRateHz: number): Promise<TalkRecording | null> {
  const samples = Math.floor((await stat(rawPath)).size / BYTES_PER_STEREO_SAMPLE);
  if (samples === 0) {
    await rm(rawPath, { force: true });
    return null;
  }
  const path = `${rawPath}.ogg`;
  const input = ['-f', 's16le', '-ar', String(sampleRateHz), '-ac', '2', '-i', rawPath];
  const output = ['-c:a', 'libopus', '-b:a', BIT_RATE, '-application', 'voip', '-f', 'ogg', '-y'];
  await ffmpeg([...input, ...output, `${path}.part`], TIMEOUT_MS);
  await rename(`${path}.part`, path);
  await rm(rawPath, { force: true });
  return { path, contentType: 'audio/ogg', durationMs: Math.round((samples * 1_000) / sampleRateHz) };
}
