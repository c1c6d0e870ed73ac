import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import type { AmbientSound } from '../../runtime/call/settings/voice-settings.js';
import { ffmpeg } from '../audio/ffmpeg.js';
import { samplesOf } from '@prosa/audio';

export type SoundName = AmbientSound | 'hold_music';

const DECODING_TIMEOUT_MS = 10_000;

/** A sound of 16 s takes 0.25 MB at 8 kHz and 1.5 MB at 48 kHz. */
const loops = new LRUCache<string, Promise<Int16Array>>({ max: 14 });

/**
 * A sound that is played in a loop (scripts/make-sounds.mjs has made it), decoded when it is first asked for and then kept.
 *
 * @returns mono samples at the rate, shared by all calls: not to be changed
 * @throws FfmpegMissing where nothing can be decoded, or the error of the decoder
 */
export async function soundLoop(name: SoundName, sampleRateHz: number): Promise<Int16Array> {
  const key = `${name}/${sampleRateHz}`;
  const known = loops.get(key);
  if (known) return known;
  const loop = decoded(name, sampleRateHz);
  loops.set(key, loop);
  try {
    return await loop;
  } catch (error) {
    loops.delete(key);
    throw error;
  }
}

async function decoded(name: SoundName, sampleRateHz: number): Promise<Int16Array> {
  const path = fileURLToPath(new URL(`./${name}.opus`, import.meta.url));
  const output = ['-f', 's16le', '-ar', String(sampleRateHz), '-ac', '1', '-'];
  return samplesOf(await ffmpeg(['-i', path, ...output], DECODING_TIMEOUT_MS));
}
