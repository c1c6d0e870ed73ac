import { goertzel, FRAME_MS, frameLength } from '@prosa/audio';

/** Beeps of answering machines lie between these, most of them between 800 and 1400 Hz. */
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_500;
const STEP_HZ = 12.5;
/** A tone that glides further than this from where it began is no beep. */
const MAX_DRIFT_HZ = 20;
/** A beep is one tone and nothing else. */
const MIN_SHARE = 0.8;
const MIN_MEAN_SQUARE = (0.015 * 32_768) ** 2;
const MIN_FRAMES = 6;
/** A frame may miss the tone, on a lossy line. */
const MAX_GAPS = 1;
/** A voice that holds one pitch gets louder and softer; a beep does so at its ends alone. 6 dB. */
const MAX_POWER_RATIO = 4;

export interface Tone {
  readonly hz: number;
  readonly durationMs: number;
}

/** Hears the tone after which an answering machine records: at least 120 ms of one pitch, and then its end. */
export class BeepDetector {
  private readonly frequencies: readonly { readonly hz: number; readonly coefficient: number }[];
  private readonly length: number;
  /** The last tone whose end `hear` has returned true for. */
  last: Tone | null = null;
  private pitchHz = 0;
  private frames = 0;
  private gaps = 0;
  private lastPower = 0;
  private softest = Infinity;
  private loudest = 0;

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

  /** For how long what is heard has been one tone and nothing else. */
  get toneMs(): number {
    return this.frames * FRAME_MS;
  }

  /** @returns true once after each beep, when it is over */
  hear(frame: Int16Array): boolean {
    const pitch = this.pitchOf(frame);
    if (pitch && (this.frames === 0 || Math.abs(pitch.hz - this.pitchHz) <= MAX_DRIFT_HZ)) {
      if (this.frames === 0) this.pitchHz = pitch.hz;
      this.measure(pitch.power);
      return false;
    }
    if (this.frames === 0 || ++this.gaps <= MAX_GAPS) return false;
    return this.endTone();
  }

  /** The first and the last frame may hold a part of the tone only. */
  private measure(power: number): void {
    if (this.frames >= 2) {
      this.softest = Math.min(this.softest, this.lastPower);
      this.loudest = Math.max(this.loudest, this.lastPower);
    }
    this.lastPower = power;
    this.frames++;
    this.gaps = 0;
  }

  private endTone(): boolean {
    const wasBeep = this.frames >= this.leastFrames && this.loudest <= this.softest * MAX_POWER_RATIO;
    if (wasBeep) this.last = { hz: this.pitchHz, durationMs: this.toneMs };
    this.frames = this.gaps = this.loudest = 0;
    this.softest = Infinity;
    return wasBeep;
  }

  private pitchOf(frame: Int16Array): { readonly hz: number; readonly power: number } | null {
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    if (energy < MIN_MEAN_SQUARE * frame.length) return null;
    let best = { hz: 0, power: 0 };
    for (const { hz, coefficient } of this.frequencies) {
      const power = goertzel(frame, coefficient);
      if (power > best.power) best = { hz, power };
    }
    return best.power / (energy * (this.length / 2)) >= MIN_SHARE ? best : null;
  }
}
