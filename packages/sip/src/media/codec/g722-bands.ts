import { AdaptivePredictor, saturated } from './g722-predictor.js';

/** Magnitudes at which the quantizer of the lower band moves to its next step, for a scale factor of 4,096 (Q6). */
const DECISION_LEVELS = Int32Array.from([
  35, 72, 110, 150, 190, 233, 276, 323, 370, 422, 473, 530, 587, 650, 714, 786, 858, 940, 1_023, 1_121, 1_219,
  1_339, 1_458, 1_612, 1_765, 1_980, 2_195, 2_557, 2_919,
]);
/** The codes of its steps, from the least magnitude to the greatest: 0 to 3 are not used at 64 kbit/s. */
const POSITIVE_CODES = Uint8Array.from({ length: 30 }, (_, step) => 61 - step);
const NEGATIVE_CODES = Uint8Array.from({ length: 30 }, (_, step) => (step < 2 ? 63 - step : 33 - step));

/** What the six bits of a code stand for, of a scale factor of 32,768: all of them for what is heard (QM6). */
const MAGNITUDES_6 = [
  24_808, 21_904, 19_008, 16_704, 14_984, 13_512, 12_280, 11_192, 10_232, 9_360, 8_576, 7_856, 7_192, 6_576,
  6_000, 5_456, 4_944, 4_464, 4_008, 3_576, 3_168, 2_776, 2_400, 2_032, 1_688, 1_360, 1_040, 728,
];
const DIFFERENCES_6 = Int32Array.from([
  -136,
  -136,
  -136,
  -136,
  ...MAGNITUDES_6.map((magnitude) => -magnitude),
  ...MAGNITUDES_6,
  432,
  136,
  -432,
  -136,
]);
/** And the first four of them for the predictor, which must not depend on the others (QM4). */
const MAGNITUDES_4 = [20_456, 12_896, 8_968, 6_288, 4_240, 2_584, 1_200];
const DIFFERENCES_4 = Int32Array.from([
  0,
  ...MAGNITUDES_4.map((magnitude) => -magnitude),
  ...MAGNITUDES_4,
  0,
]);
/** By how much the logarithm of the scale factor moves (WL), by the first four bits. */
const LOG_MOVES_4 = Int32Array.from([
  -60, 3_042, 1_198, 538, 334, 172, 58, -30, 3_042, 1_198, 538, 334, 172, 58, -30, -60,
]);

/** The same tables of the upper band, whose codes have two bits (QM2, WH). */
const DIFFERENCES_2 = Int32Array.of(-7_408, -1_616, 7_408, 1_616);
const LOG_MOVES_2 = Int32Array.of(798, -214, 798, -214);
const UPPER_LEVEL = 564;

/** 2,048 · 2^(n/32), the mantissas of scale factors (ILB). */
const SCALES = Int32Array.from([
  2_048, 2_093, 2_139, 2_186, 2_233, 2_282, 2_332, 2_383, 2_435, 2_489, 2_543, 2_599, 2_656, 2_714, 2_774,
  2_834, 2_896, 2_960, 3_025, 3_091, 3_158, 3_228, 3_298, 3_371, 3_444, 3_520, 3_597, 3_676, 3_756, 3_838,
  3_922, 4_008,
]);
const MOST_LOG_LOWER = 18_432;
const MOST_LOG_UPPER = 22_528;
/** Of what the decoder makes of a band, in 15 bits. */
const MOST_OUTPUT = 16_383;

/** 0 to 4 kHz, six bits a sample. Encoder and decoder go through the same states. */
export class LowerBand {
  private readonly predictor = new AdaptivePredictor();
  private log = 0;
  private scale = 32;

  /** @returns the code of the sample */
  encode(sample: number): number {
    const difference = saturated(sample - this.predictor.prediction); // SUBTRA
    const step = stepOf(difference < 0 ? ~difference : difference, this.scale); // QUANTL
    const code = (difference < 0 ? NEGATIVE_CODES[step] : POSITIVE_CODES[step]) ?? 0;
    this.adapt(code);
    return code;
  }

  decode(code: number): number {
    const difference = ((DIFFERENCES_6[code] ?? 0) * this.scale) >> 15; // INVQBL
    const output = limited(this.predictor.prediction + difference);
    this.adapt(code);
    return output;
  }

  private adapt(code: number): void {
    const first4 = code >> 2;
    const difference = ((DIFFERENCES_4[first4] ?? 0) * this.scale) >> 15; // INVQAL
    this.log = moved(this.log, LOG_MOVES_4[first4] ?? 0, MOST_LOG_LOWER); // LOGSCL
    this.scale = scaleOf(this.log, 8); // SCALEL
    this.predictor.update(difference);
  }
}

/** 4 to 8 kHz, two bits a sample. */
export class UpperBand {
  private readonly predictor = new AdaptivePredictor();
  private log = 0;
  private scale = 8;

  encode(sample: number): number {
    const difference = saturated(sample - this.predictor.prediction); // SUBTRA
    const isNegative = difference < 0;
    const isLarge = (isNegative ? ~difference : difference) >= (UPPER_LEVEL * this.scale) >> 12; // QUANTH
    const code = (isNegative ? 0 : 2) + (isLarge ? 0 : 1);
    this.adapt(code, this.differenceOf(code));
    return code;
  }

  decode(code: number): number {
    const difference = this.differenceOf(code);
    const output = limited(this.predictor.prediction + difference);
    this.adapt(code, difference);
    return output;
  }

  private differenceOf(code: number): number {
    return ((DIFFERENCES_2[code] ?? 0) * this.scale) >> 15; // INVQAH
  }

  private adapt(code: number, difference: number): void {
    this.log = moved(this.log, LOG_MOVES_2[code] ?? 0, MOST_LOG_UPPER); // LOGSCH
    this.scale = scaleOf(this.log, 10); // SCALEH
    this.predictor.update(difference);
  }
}

/** How many decision levels the magnitude has reached. */
function stepOf(magnitude: number, scale: number): number {
  let low = 0;
  let high = DECISION_LEVELS.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (magnitude < ((DECISION_LEVELS[middle] ?? 0) * scale) >> 12) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The logarithm leaks by 1/128 a sample, so that two ends that differ come together again. */
function moved(log: number, by: number, most: number): number {
  const next = ((log * 127) >> 7) + by;
  return next < 0 ? 0 : next > most ? most : next;
}

/** 2^(log/2048), with the scale of the band. */
function scaleOf(log: number, down: number): number {
  const mantissa = SCALES[(log >> 6) & 31] ?? 0;
  const shift = down - (log >> 11);
  return (shift < 0 ? mantissa << -shift : mantissa >> shift) << 2;
}

function limited(value: number): number {
  return value > MOST_OUTPUT ? MOST_OUTPUT : value < -MOST_OUTPUT - 1 ? -MOST_OUTPUT - 1 : value;
}
