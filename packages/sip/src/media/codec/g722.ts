import { LowerBand, UpperBand } from './g722-bands.js';
import { saturated } from './g722-predictor.js';

/** Samples a second that G.722 takes and makes: twice as many as octets. */
export const G722_SAMPLE_RATE_HZ = 16_000;

/**
 * The quadrature mirror filter that parts the band at 4 kHz and joins it again: every second of its 24 coefficients, which
 * are the same from both ends, as 13-bit fractions.
 */
const MIRROR_FILTER = Int32Array.of(3, -11, 12, 32, -210, 951, 3_876, -805, 362, -156, 53, -11);
const HALF_TAPS = MIRROR_FILTER.length;
/** Past samples that the filter needs in addition to a new pair. */
const PAST = 2 * HALF_TAPS - 2;

/**
 * ITU-T G.722 at 64 kbit/s (mode 1): 7 kHz of sound as two bands of adaptive differential PCM, six bits for the lower one
 * and two for the upper. Two samples make one octet.
 */
export class G722Encoder {
  private readonly lower = new LowerBand();
  private readonly upper = new UpperBand();
  private window = new Int32Array(PAST);

  /** @param samples an even number, of which half as many octets are made */
  encode(samples: Int16Array): Uint8Array {
    const octets = new Uint8Array(samples.length >> 1);
    const window = new Int32Array(PAST + samples.length);
    window.set(this.window.subarray(this.window.length - PAST));
    window.set(samples, PAST);
    for (let pair = 0; pair < octets.length; pair++) {
      const even = filtered(window, 2 * pair);
      const odd = filteredBackwards(window, 2 * pair + 1);
      const low = this.lower.encode((even + odd) >> 14);
      const high = this.upper.encode((odd - even) >> 14);
      octets[pair] = (high << 6) | low;
    }
    this.window = window;
    return octets;
  }
}

/** The other way. Octets that were lost cost some milliseconds of distortion: both ends forget their pasts. */
export class G722Decoder {
  private readonly lower = new LowerBand();
  private readonly upper = new UpperBand();
  private window = new Int32Array(PAST);

  decode(octets: Uint8Array): Int16Array {
    const samples = new Int16Array(octets.length * 2);
    const window = new Int32Array(PAST + samples.length);
    window.set(this.window.subarray(this.window.length - PAST));
    for (let pair = 0; pair < octets.length; pair++) {
      const octet = octets[pair] ?? 0;
      const low = this.lower.decode(octet & 0x3f);
      const high = this.upper.decode(octet >> 6);
      window[PAST + 2 * pair] = low + high;
      window[PAST + 2 * pair + 1] = low - high;
      samples[2 * pair] = saturated(filteredBackwards(window, 2 * pair + 1) >> 11);
      samples[2 * pair + 1] = saturated(filtered(window, 2 * pair) >> 11);
    }
    this.window = window;
    return samples;
  }
}

/** Every second value from `at` on, the oldest with the first coefficient. */
function filtered(window: Int32Array, at: number): number {
  let sum = 0;
  for (let tap = 0; tap < HALF_TAPS; tap++) sum += (window[at + 2 * tap] ?? 0) * (MIRROR_FILTER[tap] ?? 0);
  return sum;
}

/** The same with the coefficients from behind. */
function filteredBackwards(window: Int32Array, at: number): number {
  let sum = 0;
  for (let tap = 0; tap < HALF_TAPS; tap++)
    sum += (window[at + 2 * tap] ?? 0) * (MIRROR_FILTER[HALF_TAPS - 1 - tap] ?? 0);
  return sum;
}
