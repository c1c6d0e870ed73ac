import { rmsOf } from '@prosa/audio';

/** Root mean square, 0 to 1, above which the sound may be speech. */
const LOUD = 0.015;
const LEAST_SPEECH_MS = 300;
const PAUSE_MS = 700;

/**
 * Detects by loudness alone that speech may have begun and ended. It takes a door for a word: what follows from it
 * must do no harm.
 */
export class SpokenStretches {
  private loudMs = 0;
  private quietMs = 0;

  constructor(private readonly sampleRateHz: number) {}

  /** @returns how long ago the stretch began that has ended with these samples, in milliseconds of sound; null: none has */
  hear(samples: Int16Array): number | null {
    const ms = (samples.length * 1_000) / this.sampleRateHz;
    if (rmsOf(samples) > LOUD) {
      this.loudMs += this.quietMs + ms;
      this.quietMs = 0;
      return null;
    }
    if (this.loudMs === 0) return null;
    this.quietMs += ms;
    if (this.quietMs < PAUSE_MS) return null;
    const [loudMs, lengthMs] = [this.loudMs, this.loudMs + this.quietMs];
    this.loudMs = this.quietMs = 0;
    return loudMs >= LEAST_SPEECH_MS ? lengthMs : null;
  }
}
