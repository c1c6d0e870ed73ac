import { goertzel } from './keypad-tones.js';
import { frameLength } from './pcm.js';

/** Beeps of answering machines lie between these, most of them between 800 and 1400 Hz. */
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_200;
const STEP_HZ = 12.5;
/** A tone that glides further than this from where it began is no beep. */
const MAX_DRIFT_HZ = 20;
/** A beep is one tone and nothing else. */
const MIN_SHARE = 0.8;
const MIN_MEAN_SQUARE = (0.015 * 32_768) ** 2;
const MIN_FRAMES = 6;
/** A frame may miss the tone, on a lossy line. */
const MAX_GAPS = 1;

/** Hears the tone after which an answering machine records: at least 120 ms of one pitch, and then its end. */
export class BeepDetector {
  private readonly frequencies: readonly { readonly hz: number; readonly coefficient: number }[];
  private readonly length: number;
  private pitchHz = 0;
  private frames = 0;
  private gaps = 0;

  /** @param leastFrames how long a tone must last to be a beep */
  constructor(
    sampleRateHz: number,
    private readonly leastFrames = MIN_FRAMES,
  ) {
    this.length = frameLength(sampleRateHz);
    this.frequencies = Array.from(
      { length: Math.floor((HIGHEST_HZ - LOWEST_HZ) / STEP_HZ) + 1 },
      (_, index) => {
        const hz = LOWEST_HZ + index * STEP_HZ;
        return { hz, coefficient: 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz) };
      },
    );
  }

  /** Whether what is heard is one tone and nothing else, for long enough that it is no speech. */
  get isTone(): boolean {
    return this.frames >= this.leastFrames;
  }

  /** @returns true once after each beep, when it is over */
  hear(frame: Int16Array): boolean {
    const hz = this.pitchOf(frame);
    if (hz !== null && (this.frames === 0 || Math.abs(hz - this.pitchHz) <= MAX_DRIFT_HZ)) {
      if (this.frames === 0) this.pitchHz = hz;
      this.frames++;
      this.gaps = 0;
      return false;
    }
    if (this.frames === 0 || ++this.gaps <= MAX_GAPS) return false;
    const wasBeep = this.frames >= this.leastFrames;
    this.frames = 0;
    this.gaps = 0;
    return wasBeep;
  }

  private pitchOf(frame: Int16Array): number | null {
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    if (energy < MIN_MEAN_SQUARE * frame.length) return null;
    let best = { hz: 0, power: 0 };
    for (const { hz, coefficient } of this.frequencies) {
      const power = goertzel(frame, coefficient);
      if (power > best.power) best = { hz, power };
    }
    return best.power / (energy * (this.length / 2)) >= MIN_SHARE ? best.hz : null;
  }
}
