/** Of the tones that telephone companies play on calls that are recorded. */
const PITCH_HZ = 1_400;
const LENGTH_MS = 200;
/** In amplitude, under speech. */
const GAIN = 0.1;
/** At both ends, so that it does not click. */
const FADE_MS = 10;
const FULL_SCALE = 32_767;

/** By which the customer knows that a person listens. */
export function listenerTone(sampleRateHz: number): Int16Array {
  const length = Math.round((sampleRateHz * LENGTH_MS) / 1_000);
  const fade = (sampleRateHz * FADE_MS) / 1_000;
  return Int16Array.from({ length }, (_, at) => {
    const level = GAIN * Math.min(1, at / fade, (length - at) / fade);
    return Math.round(level * FULL_SCALE * Math.sin((2 * Math.PI * PITCH_HZ * at) / sampleRateHz));
  });
}
