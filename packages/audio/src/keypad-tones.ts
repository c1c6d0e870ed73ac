import { frameLength, toInt16 } from './pcm.js';

const ROWS_HZ = [697, 770, 852, 941] as const;
const COLUMNS_HZ = [1_209, 1_336, 1_477, 1_633] as const;
const KEYS = ['123A', '456B', '789C', '*0#D'] as const;
/** The two frequencies of each key. */
const FREQUENCIES_HZ: ReadonlyMap<string, readonly [number, number]> = new Map(
  KEYS.flatMap((keys, row) =>
    keys.split('').map((key, column) => [key, [ROWS_HZ[row] ?? 0, COLUMNS_HZ[column] ?? 0]] as const),
  ),
);

const TONE_MS = 120;
const GAP_MS = 80;
/** `w` in what is to be dialled. */
const PAUSE_MS = 500;
const AMPLITUDE = 0.25;

/**
 * The sound of keys (0-9, A-D, *, #), for a line without telephone events. `w` is a pause of half a second.
 *
 */
export function keypadTones(digits: string, sampleRateHz: number): Int16Array {
  const parts = digits.split('').map((digit) => keyTone(digit, sampleRateHz));
  const tones = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    tones.set(part, at);
    at += part.length;
  }
  return tones;
}

function keyTone(digit: string, sampleRateHz: number): Int16Array {
  const samples = (ms: number) => Math.round((sampleRateHz * ms) / 1_000);
  const frequencies = FREQUENCIES_HZ.get(digit);
  if (!frequencies) return new Int16Array(samples(digit === 'w' ? PAUSE_MS : 0));
  const [low, high] = frequencies.map((hz) => (2 * Math.PI * hz) / sampleRateHz) as [number, number];
  const tone = new Int16Array(samples(TONE_MS + GAP_MS));
  for (let index = 0; index < samples(TONE_MS); index++)
    tone[index] = toInt16((Math.sin(low * index) + Math.sin(high * index)) * AMPLITUDE * 32_767);
  return tone;
}

/** Of the energy of a frame, the two tones of a key hold at least so much; speech never does for long. */
const MIN_SHARE = 0.7;
const MIN_MEAN_SQUARE = (0.01 * 32_768) ** 2;
/** A row may be louder than the column by 8 dB, or softer by 8. */
const MAX_TWIST = 6.3;
/** ITU-T Q.24: tones of 40 ms are keys; shorter ones are none. */
const MIN_FRAMES = 2;

/** Hears keys in a line's sound (Goertzel's algorithm over 20 ms frames). */
export class KeypadDetector {
  private readonly rows: readonly number[];
  private readonly columns: readonly number[];
  private readonly length: number;
  private current: string | null = null;
  private frames = 0;
  private silentFrames = 0;
  private reported = false;

  constructor(readonly sampleRateHz: number) {
    const coefficient = (hz: number) => 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz);
    this.rows = ROWS_HZ.map(coefficient);
    this.columns = COLUMNS_HZ.map(coefficient);
    this.length = frameLength(sampleRateHz);
  }

  /** Whether the last frame may be part of a key's tone. */
  get isTone(): boolean {
    return this.current !== null;
  }

  /** @returns the key that this frame makes certain, once for each time it is pressed */
  hear(frame: Int16Array): string | null {
    const key = this.keyIn(frame);
    if (key !== this.current) {
      // One bad frame within a long tone is no second key.
      if (key === null && this.reported && ++this.silentFrames < MIN_FRAMES) return null;
      this.current = key;
      this.frames = 0;
      this.reported = false;
    }
    this.silentFrames = 0;
    if (key === null || this.reported || ++this.frames < MIN_FRAMES) return null;
    this.reported = true;
    return key;
  }

  private keyIn(frame: Int16Array): string | null {
    let energy = 0;
    for (const sample of frame) energy += sample * sample;
    if (energy < MIN_MEAN_SQUARE * frame.length) return null;
    const row = strongest(frame, this.rows);
    const column = strongest(frame, this.columns);
    const twist = row.power / column.power;
    if (twist > MAX_TWIST || twist < 1 / MAX_TWIST) return null;
    // A sine of amplitude A has a Goertzel power of (A·n/2)² and an energy of A²·n/2.
    const share = (row.power + column.power) / (energy * (this.length / 2));
    return share < MIN_SHARE ? null : (KEYS[row.index]?.[column.index] ?? null);
  }
}

function strongest(frame: Int16Array, coefficients: readonly number[]): { index: number; power: number } {
  let best = { index: 0, power: -1 };
  coefficients.forEach((coefficient, index) => {
    const power = goertzel(frame, coefficient);
    if (power > best.power) best = { index, power };
  });
  return best;
}

/** The squared magnitude of one frequency, given as 2·cos(2πf/rate). */
export function goertzel(frame: Int16Array, coefficient: number): number {
  let last = 0;
  let beforeLast = 0;
  for (const sample of frame) {
    const next = sample + coefficient * last - beforeLast;
    beforeLast = last;
    last = next;
  }
  return last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
}
