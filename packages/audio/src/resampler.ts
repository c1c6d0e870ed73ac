const TAPS_PER_PHASE = 24;
/** Of the lower of both rates: the filter falls off from here on. */
const PASS_BAND = 0.9;

interface Filter {
  readonly up: number;
  readonly down: number;
  /** A multiple of four. */
  readonly taps: number;
  /** `up` phases of `taps` coefficients each, oldest sample first. */
  readonly coefficients: Float32Array;
}

/** A handful: between the rates of lines, the engine and the voices. */
const filters = new Map<string, Filter>();

/**
 * Changes the rate of a stream of mono samples without holding any back: 20 ms in are 20 ms out, about a millisecond late.
 * The resampler of @livekit/rtc-node (soxr) answers 8 kHz in lumps of 108 ms, which is too late to interrupt anybody.
 */
export class Resampler {
  private readonly filter: Filter;
  /** The last `taps - 1` samples. */
  private history: Float32Array;
  /** Of the next output, in steps of 1/up of an input sample, from the first new sample on. */
  private position = 0;

  constructor(
    readonly fromHz: number,
    readonly toHz: number,
  ) {
    this.filter = filterFor(fromHz, toHz);
    this.history = new Float32Array(this.filter.taps - 1);
  }

  process(samples: Int16Array): Int16Array {
    if (this.fromHz === this.toHz) return samples;
    const { up, down, taps, coefficients } = this.filter;
    const input = new Float32Array(this.history.length + samples.length);
    input.set(this.history);
    input.set(samples, this.history.length);
    const end = samples.length * up;
    const output = new Int16Array(Math.max(Math.ceil((end - this.position) / down), 0));
    let position = this.position;
    for (let index = 0; index < output.length; index++, position += down) {
      const sum = weighted(coefficients, (position % up) * taps, input, Math.floor(position / up), taps);
      output[index] = sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : Math.round(sum);
    }
    this.position = position - end;
    this.history = input.slice(input.length - (taps - 1));
    return output;
  }
}

/** Four sums side by side: each addition would wait for the one before it otherwise, which takes twice the time. */
function weighted(
  weights: Float32Array,
  from: number,
  samples: Float32Array,
  at: number,
  count: number,
): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (let tap = 0; tap < count; tap += 4) {
    const weight = from + tap;
    const sample = at + tap;
    first += (weights[weight] ?? 0) * (samples[sample] ?? 0);
    second += (weights[weight + 1] ?? 0) * (samples[sample + 1] ?? 0);
    third += (weights[weight + 2] ?? 0) * (samples[sample + 2] ?? 0);
    fourth += (weights[weight + 3] ?? 0) * (samples[sample + 3] ?? 0);
  }
  return first + second + third + fourth;
}

/** A whole recording at another rate. */
export function resampled(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  return new Resampler(fromHz, toHz).process(samples);
}

function filterFor(fromHz: number, toHz: number): Filter {
  const key = `${fromHz}/${toHz}`;
  const known = filters.get(key);
  if (known) return known;
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const filter = designed(toHz / divisor, fromHz / divisor);
  filters.set(key, filter);
  return filter;
}

/** A windowed sinc (Blackman), divided into the phases between two input samples. */
function designed(up: number, down: number): Filter {
  const widening = Math.max(down / up, 1);
  const taps = Math.ceil((TAPS_PER_PHASE * widening) / 4) * 4;
  const cutoff = PASS_BAND / widening;
  const length = taps * up;
  const centre = (length - 1) / 2;
  const coefficients = new Float32Array(length);
  for (let phase = 0; phase < up; phase++) {
    const weights = Array.from({ length: taps }, (_, tap) => {
      const at = tap * up + phase;
      return sinc(((at - centre) / up) * cutoff) * blackman(at / (length - 1));
    });
    // Scales the weights so that each phase passes a constant unchanged.
    const sum = weights.reduce((total, weight) => total + weight, 0);
    coefficients.set(
      weights.toReversed().map((weight) => weight / sum),
      phase * taps,
    );
  }
  return { up, down, taps, coefficients };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function blackman(x: number): number {
  return 0.42 - 0.5 * Math.cos(2 * Math.PI * x) + 0.08 * Math.cos(4 * Math.PI * x);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
