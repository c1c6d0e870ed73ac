import { toInt16 } from '@prosa/audio';

const FULL = 32_767;
const BEEP_HZ = 1_000;
const BEEP_MS = 400;
const BEEP_LEVEL = 0.3;
/** As long as a cough of one person, in two bursts. */
const COUGH_MS = 260;
const COUGH_BURST_MS = 130;
const COUGH_LEVEL = 0.6;
const STREET_SECONDS = 8;
/** As root mean square: about 15 dB below a voice, as in a street with traffic. */
const STREET_LEVEL = 0.02;

/** The same numbers for the same seed, so that a call can be repeated. -1 to 1. */
function noiseFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return state / 2 ** 31;
  };
}

/** The tone after which an answering machine records. */
export function beep(sampleRateHz: number): Int16Array {
  return Int16Array.from({ length: (sampleRateHz * BEEP_MS) / 1_000 }, (_, index) =>
    toInt16(Math.sin((2 * Math.PI * BEEP_HZ * index) / sampleRateHz) * BEEP_LEVEL * FULL),
  );
}

/** A cough: loud like a voice, and over before anybody could have said something. */
export function cough(sampleRateHz: number): Int16Array {
  const random = noiseFrom(8);
  const burst = (sampleRateHz * COUGH_BURST_MS) / 1_000;
  let smooth = 0;
  return Int16Array.from({ length: (sampleRateHz * COUGH_MS) / 1_000 }, (_, index) => {
    smooth += (random() - smooth) * 0.5;
    const since = (index % burst) / burst;
    return toInt16(smooth * Math.min(since / 0.05, 1) * Math.exp(-since * 3) * COUGH_LEVEL * FULL);
  });
}

/** A street with traffic that swells and ebbs; it begins again where it ends. */
export function street(sampleRateHz: number): Int16Array {
  const random = noiseFrom(9);
  const length = sampleRateHz * STREET_SECONDS;
  let low = 0;
  let lower = 0;
  const rumble = Float64Array.from({ length }, (_, index) => {
    low += (random() - low) * 0.25;
    lower += (low - lower) * 0.5;
    // Whole periods in the loop, so that the seam is not heard.
    const swell = 0.75 + 0.25 * Math.sin((2 * Math.PI * 3 * index) / length);
    return lower * swell;
  });
  const rms = Math.sqrt(rumble.reduce((sum, value) => sum + value * value, 0) / length);
  return Int16Array.from(rumble, (value) => toInt16((value / rms) * STREET_LEVEL * FULL));
}
