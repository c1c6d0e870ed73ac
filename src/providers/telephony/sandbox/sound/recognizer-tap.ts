import { FRAME_MS, rmsOf } from '@prosa/audio';

/** Speech is louder than this, as root mean square, and than what the line hums with. */
const LEAST_LOUD = 0.01;
const LOUDER_THAN_NOISE = 2.5;
/** Speech has a gap at least so often; what is never quieter is noise. */
const NOISE_WINDOW_FRAMES = 100;
/** Shorter sounds are clicks. */
const LEAST_SPEECH_MS = 100;

/** Hears by loudness, frame by frame, whether the other side speaks. It understands nothing. */
export class RecognizerTap {
  private noise = 0;
  private quietestOfWindow = Infinity;
  private framesOfWindow = 0;
  private loudMs = 0;
  /** From the first loud frame to the last, the short pauses between them included. */
  private saidMs = 0;
  private silentMs = 0;

  /** Whether something was said since the last `forget`. */
  get hasHeard(): boolean {
    return this.loudMs >= LEAST_SPEECH_MS;
  }

  /** For how long the other side has been speaking. */
  get spokenMs(): number {
    return this.hasHeard ? this.saidMs : 0;
  }

  /** For how long nothing has been said. */
  get quietMs(): number {
    return this.silentMs;
  }

  hear(frame: Int16Array): void {
    const loudness = rmsOf(frame);
    this.learnNoise(loudness);
    if (loudness <= Math.max(LEAST_LOUD, this.noise * LOUDER_THAN_NOISE)) {
      this.silentMs += FRAME_MS;
      return;
    }
    this.saidMs += FRAME_MS + (this.saidMs > 0 ? this.silentMs : 0);
    this.loudMs += FRAME_MS;
    this.silentMs = 0;
  }

  /** What was said so far has been dealt with. */
  forget(): void {
    this.loudMs = 0;
    this.saidMs = 0;
  }

  private learnNoise(loudness: number): void {
    this.quietestOfWindow = Math.min(this.quietestOfWindow, loudness);
    if (++this.framesOfWindow < NOISE_WINDOW_FRAMES) return;
    this.noise = this.quietestOfWindow;
    this.quietestOfWindow = Infinity;
    this.framesOfWindow = 0;
  }
}
