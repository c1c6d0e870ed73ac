import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { frameLength, rmsOf } from '@prosa/audio';
import { strengthOf } from '@prosa/testing';
import { until } from '../../support/until.js';

/** What baresip's module sndfile writes what was heard into, while the call goes on. */
const HEARD_FILE = /^dump-.*-dec\.wav$/;
const HEADER_BYTES = 44;
/** As root mean square, 0 to 1. */
const LOUD = 0.015;
const SPEECH_FRAMES = 15;
const PAUSE_FRAMES = 40;
const TONE_MS = 300;
const TONE_STRENGTH = 0.08;

/** Listens to a call by the file that a far end keeps of it. */
export class RecordedEar {
  /** Frames that were listened to already, of this file. */
  private at = 0;
  private file = '';

  private readonly frameSamples: number;

  constructor(
    private readonly folder: string,
    private readonly rateHz: number,
    /** Of which the first is listened to. */
    private readonly channels = 1,
  ) {
    this.frameSamples = frameLength(rateHz);
  }

  /** Waits for speech after the last call, and then for silence. */
  async heardSpeech(timeoutMs = 90_000): Promise<void> {
    await until(() => {
      const end = endOfSpeech(this.loudness().slice(this.at));
      if (end !== null) this.at += end;
      return end !== null;
    }, timeoutMs).catch(() => {
      const frames = this.loudness();
      throw new Error(
        `no speech within ${timeoutMs} ms: ${frames.slice(this.at).filter((isLoud) => isLoud).length} loud frames of ${frames.length - this.at}`,
      );
    });
  }

  /** Waits until a tone is heard, for as long as `TONE_MS`. */
  async heardTone(hertz: number, timeoutMs = 60_000): Promise<void> {
    const heard = () =>
      strengthOf(hertz, this.samples().slice((-TONE_MS * this.rateHz) / 1_000), this.rateHz);
    await until(() => heard() > TONE_STRENGTH, timeoutMs).catch(() => {
      throw new Error(
        `no tone of ${hertz} Hz within ${timeoutMs} ms, but one of strength ${heard().toFixed(3)}`,
      );
    });
  }

  /** Of each frame of the newest call, whether it is loud. */
  private loudness(): boolean[] {
    const samples = this.samples();
    return Array.from(
      { length: Math.floor(samples.length / this.frameSamples) },
      (_, index) =>
        rmsOf(samples.subarray(index * this.frameSamples, (index + 1) * this.frameSamples)) > LOUD,
    );
  }

  private samples(): Int16Array {
    const newest = readdirSync(this.folder)
      .filter((name) => HEARD_FILE.test(name))
      .map((name) => join(this.folder, name))
      .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
      .at(-1);
    if (newest === undefined) return new Int16Array(0);
    const bytes = readFileSync(newest).subarray(HEADER_BYTES);
    // A call that was resumed begins a new file, also under the name of the one before.
    if (newest !== this.file || bytes.length < this.at * this.frameSamples * 2) this.at = 0;
    this.file = newest;
    const sampleBytes = 2 * this.channels;
    return Int16Array.from({ length: Math.floor(bytes.length / sampleBytes) }, (_, index) =>
      bytes.readInt16LE(index * sampleBytes),
    );
  }
}

/** The frame after the pause that follows speech; null where there is none yet. */
function endOfSpeech(frames: readonly boolean[]): number | null {
  let loud = 0;
  let quiet = 0;
  for (const [index, isLoud] of frames.entries()) {
    loud += isLoud ? 1 : 0;
    quiet = isLoud ? 0 : quiet + 1;
    if (loud >= SPEECH_FRAMES && quiet >= PAUSE_FRAMES) return index + 1;
  }
  return null;
}
