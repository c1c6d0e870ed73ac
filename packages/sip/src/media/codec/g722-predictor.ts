const ZEROS = 6;
/** Leaks of the coefficients, as 15-bit fractions: what was learnt from a lost octet is forgotten. */
const POLE_1_LEAK = 32_640;
const POLE_2_LEAK = 32_512;
const ZERO_LEAK = 32_640;
/** Bounds that keep the filter stable. */
const MOST_POLE_2 = 12_288;
const MOST_POLES = 15_360;

/**
 * Predicts the next sample of one band from its past, by a filter of two poles and six zeros. Its coefficients follow
 * the signs of the input. Both ends run the same filter on the same differences (ITU-T G.722 §6.2.1.4, blocks RECONS
 * to PREDIC, named in the comments below). All values are 16 bits.
 */
export class AdaptivePredictor {
  /** What the next sample is taken to be. */
  prediction = 0;
  private byZeros = 0;
  /** Poles a1 and a2, zeros b1 to b6. */
  private pole1 = 0;
  private pole2 = 0;
  private readonly zeros = new Int32Array(ZEROS);
  /** The newest first. */
  private readonly differences = new Int32Array(ZEROS);
  private lastReconstructed = 0;
  private lastPartial = 0;
  private partialBefore = 0;

  /** @param difference between the sample and its prediction, as the far end knows it too */
  update(difference: number): void {
    const reconstructed = saturated(this.prediction + difference); // RECONS
    const partial = saturated(this.byZeros + difference); // PARREC
    this.adaptPoles(partial);
    this.adaptZeros(difference);
    this.partialBefore = this.lastPartial;
    this.lastPartial = partial;
    const byPoles = saturated(
      product(this.pole1, saturated(2 * reconstructed)) +
        product(this.pole2, saturated(2 * this.lastReconstructed)),
    ); // FILTEP
    this.lastReconstructed = reconstructed;
    this.prediction = saturated(byPoles + this.byZeros); // PREDIC
  }

  /** UPPOL2 and UPPOL1: only the signs count. */
  private adaptPoles(partial: number): void {
    const isLikeLast = (partial ^ this.lastPartial) >= 0;
    const isLikeBefore = (partial ^ this.partialBefore) >= 0;
    const fourfold = saturated(this.pole1 * 4);
    const pull = isLikeLast ? Math.min(-fourfold, 32_767) : fourfold;
    const pole2 = (pull >> 7) + (isLikeBefore ? 128 : -128) + product(this.pole2, POLE_2_LEAK);
    this.pole2 = bounded(pole2, MOST_POLE_2);
    const pole1 = product(this.pole1, POLE_1_LEAK) + (isLikeLast ? 192 : -192);
    this.pole1 = bounded(pole1, MOST_POLES - this.pole2);
  }

  /** UPZERO, DELAYA and FILTEZ in one pass. The leak keeps the zeros within 16 bits. */
  private adaptZeros(difference: number): void {
    const { zeros, differences } = this;
    const step = difference === 0 ? 0 : 128;
    let sum = 0;
    let newer = difference;
    for (let at = 0; at < ZEROS; at++) {
      const past = differences[at] ?? 0;
      const zero = product(zeros[at] ?? 0, ZERO_LEAK) + ((past ^ difference) >= 0 ? step : -step);
      zeros[at] = zero;
      differences[at] = newer;
      sum += product(zero, saturated(2 * newer));
      newer = past;
    }
    this.byZeros = saturated(sum);
  }
}

export function saturated(value: number): number {
  return value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
}

/** Of a value and a 15-bit fraction. */
function product(value: number, fraction: number): number {
  return (value * fraction) >> 15;
}

function bounded(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}
