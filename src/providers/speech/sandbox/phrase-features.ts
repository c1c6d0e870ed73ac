/** A row of loudnesses (logarithm of power) for each 20 ms, one for each band of the ear. */
type Rows = readonly Float64Array[];

/** Sound as the recognizer of known lines compares it. */
export interface Features {
  readonly rows: Rows;
  /** The loudest of all rows. */
  readonly peak: number;
  /** How far below the peak (nepers of power, in halves) something can be heard above the noise of the line. */
  readonly range: number;
}

/** What features are made of: telephone speech. */
export const FEATURES_RATE_HZ = 8_000;

const WINDOW = 256;
const HOP = 160;
const BANDS = 20;
const LOWEST_HZ = 150;
const HIGHEST_HZ = 3_500;
/** Keeps the logarithm of digital silence finite. */
const FLOOR = 1e4;
/** What is further below the peak is silence: there the noise of lines differs, and nothing else. */
const LARGEST_RANGE = 6;
/** On a noisier line too little is left to tell lines apart. */
const SMALLEST_RANGE = 3.5;
/** Noise is uneven: so far above its usual loudness a sound is more than noise. */
const NOISE_MARGIN = 1.7;
/** Rows in a row that are speech; a single one may be a click. */
const SPEECH_ROWS = 3;
/** A part of each utterance that is pause, or the silence around it. */
const PAUSE_SHARE = 0.15;

const hann = Float64Array.from(
  { length: WINDOW },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / WINDOW),
);
const bandEdges = Array.from(
  { length: BANDS + 2 },
  (_, index) =>
    (fromMel(mel(LOWEST_HZ) + ((mel(HIGHEST_HZ) - mel(LOWEST_HZ)) * index) / (BANDS + 1)) * WINDOW) /
    FEATURES_RATE_HZ,
);

function mel(hz: number): number {
  return 2_595 * Math.log10(1 + hz / 700);
}

function fromMel(value: number): number {
  return 700 * (10 ** (value / 2_595) - 1);
}

/**
 * Features of an utterance, with or without silence around it.
 *
 * @param pcm mono PCM16 at `FEATURES_RATE_HZ`
 */
export function featuresOf(pcm: Int16Array): Features {
  const rows: Float64Array[] = [];
  for (let start = 0; start + WINDOW <= pcm.length; start += HOP) rows.push(bandsOf(pcm, start));
  const loudness = rows.map((row) => Math.max(...row)).toSorted((one, other) => one - other);
  const peak = loudness.at(-1) ?? 0;
  const noise = loudness[Math.floor(loudness.length * PAUSE_SHARE)] ?? 0;
  const audible = Math.floor((peak - noise - NOISE_MARGIN) * 2) / 2;
  const range = Math.min(LARGEST_RANGE, Math.max(SMALLEST_RANGE, audible));
  return { rows, peak, range };
}

function bandsOf(pcm: Int16Array, start: number): Float64Array {
  const power = powerSpectrum(pcm, start);
  const bands = new Float64Array(BANDS);
  for (let band = 0; band < BANDS; band += 1) {
    const low = bandEdges[band] ?? 0;
    const middle = bandEdges[band + 1] ?? 0;
    const high = bandEdges[band + 2] ?? 0;
    let energy = 0;
    for (let bin = Math.ceil(low); bin < high && bin < WINDOW / 2; bin += 1) {
      const weight = bin < middle ? (bin - low) / (middle - low) : (high - bin) / (high - middle);
      energy += (power[bin] ?? 0) * weight;
    }
    bands[band] = Math.log(energy + FLOOR);
  }
  return bands;
}

/** Known lines are compared again and again. */
const prepared = new WeakMap<Features, Map<number, Rows>>();

function preparedFor(features: Features, range: number): Rows {
  const ofLine = prepared.get(features) ?? new Map<number, Rows>();
  prepared.set(features, ofLine);
  const rows = ofLine.get(range) ?? within(features, range);
  ofLine.set(range, rows);
  return rows;
}

/** What is above the range alone, each band relative to its own mean: so loudness and the colour of a line do not count. */
function within({ rows, peak }: Features, range: number): Rows {
  const floor = peak - range;
  const isLoud = rows.map((row) => row.some((value) => value > floor));
  const isSpeech = (_: boolean, start: number) =>
    start + SPEECH_ROWS <= isLoud.length && isLoud.slice(start, start + SPEECH_ROWS).every(Boolean);
  const first = isLoud.findIndex(isSpeech);
  const audible = first < 0 ? [] : rows.slice(first, isLoud.findLastIndex(isSpeech) + SPEECH_ROWS);
  const clear = audible.map((row) => row.map((value) => Math.max(value, floor)));
  const means = Float64Array.from(
    { length: BANDS },
    (_, band) => clear.reduce((sum, row) => sum + (row[band] ?? 0), 0) / clear.length,
  );
  return clear.map((row) => row.map((value, band) => value - (means[band] ?? 0)));
}

const BITS = Math.log2(WINDOW);
const reversed = Uint8Array.from({ length: WINDOW }, (_, index) => {
  let result = 0;
  for (let bit = 0; bit < BITS; bit += 1) result |= ((index >> bit) & 1) << (BITS - 1 - bit);
  return result;
});
/** Of `-2 * Math.PI * step / WINDOW`. */
const cosines = Float64Array.from({ length: WINDOW / 2 }, (_, step) =>
  Math.cos((-2 * Math.PI * step) / WINDOW),
);
const sines = Float64Array.from({ length: WINDOW / 2 }, (_, step) =>
  Math.sin((-2 * Math.PI * step) / WINDOW),
);

/** Radix-2 FFT of one windowed piece: the power of each bin up to half the rate. */
function powerSpectrum(pcm: Int16Array, start: number): Float64Array {
  const real = new Float64Array(WINDOW);
  const imaginary = new Float64Array(WINDOW);
  for (let index = 0; index < WINDOW; index += 1) {
    real[reversed[index] ?? 0] = (pcm[start + index] ?? 0) * (hann[index] ?? 0);
  }
  for (let size = 2; size <= WINDOW; size *= 2) butterflies(real, imaginary, size);
  const power = new Float64Array(WINDOW / 2);
  for (let bin = 1; bin < WINDOW / 2; bin += 1)
    power[bin] = (real[bin] ?? 0) ** 2 + (imaginary[bin] ?? 0) ** 2;
  return power;
}

function butterflies(real: Float64Array, imaginary: Float64Array, size: number): void {
  const step = WINDOW / size;
  for (let offset = 0; offset < size / 2; offset += 1) {
    const [cosine, sine] = [cosines[offset * step] ?? 0, sines[offset * step] ?? 0];
    for (let even = offset; even < WINDOW; even += size) {
      const odd = even + size / 2;
      const oddReal = real[odd] ?? 0;
      const oddImaginary = imaginary[odd] ?? 0;
      const turnedReal = oddReal * cosine - oddImaginary * sine;
      const turnedImaginary = oddReal * sine + oddImaginary * cosine;
      real[odd] = (real[even] ?? 0) - turnedReal;
      imaginary[odd] = (imaginary[even] ?? 0) - turnedImaginary;
      real[even] = (real[even] ?? 0) + turnedReal;
      imaginary[even] = (imaginary[even] ?? 0) + turnedImaginary;
    }
  }
}

/** Lines of very different lengths are never the same line. */
const LARGEST_LENGTH_RATIO = 1.6;

/** Measured: the same line stays below it on every way it was sent, another one above; both shrink with the range. */
function largestDistance(range: number): number {
  return 0.085 * range - 0.18;
}

/**
 * How different two utterances sound, independent of their pace (dynamic time warping within a band).
 *
 * @returns 0 for the same sound; 1 and more for another line, infinity when the lengths cannot match
 */
export function distance(heard: Features, known: Features): number {
  const { range } = heard;
  return warped(preparedFor(heard, range), preparedFor(known, range)) / largestDistance(range);
}

function warped(heard: Rows, known: Rows): number {
  const [rows, columns] = [heard.length, known.length];
  if (rows === 0 || columns === 0) return Infinity;
  if (Math.max(rows, columns) / Math.min(rows, columns) > LARGEST_LENGTH_RATIO) return Infinity;
  const reach = Math.max(10, Math.floor(columns * 0.12));
  let previous = new Float64Array(columns + 1).fill(Infinity);
  previous[0] = 0;
  for (let row = 1; row <= rows; row += 1) {
    const current = new Float64Array(columns + 1).fill(Infinity);
    const centre = Math.round((row * columns) / rows);
    const end = Math.min(columns, centre + reach);
    for (let column = Math.max(1, centre - reach); column <= end; column += 1) {
      const cheapest = Math.min(
        previous[column] ?? Infinity,
        current[column - 1] ?? Infinity,
        previous[column - 1] ?? Infinity,
      );
      current[column] = rowDistance(heard[row - 1], known[column - 1]) + cheapest;
    }
    previous = current;
  }
  return (previous[columns] ?? Infinity) / (rows + columns);
}

function rowDistance(one: Float64Array | undefined, other: Float64Array | undefined): number {
  if (!one || !other) return Infinity;
  let sum = 0;
  for (let band = 0; band < BANDS; band += 1) sum += ((one[band] ?? 0) - (other[band] ?? 0)) ** 2;
  return Math.sqrt(sum / BANDS);
}
