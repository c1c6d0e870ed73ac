/**
 * The first `dimensions` values as a vector of unit length. Models that are trained for it keep their meaning when
 * cut (Matryoshka representation learning). Others are asked for exactly the values they give.
 *
 * @throws RangeError when there are too few values, or they have no direction
 */
export function toUnitVector(values: readonly number[], dimensions: number): number[] {
  if (values.length < dimensions) {
    throw new RangeError(`the model gives ${values.length} dimensions, not the ${dimensions} configured`);
  }
  const kept = values.slice(0, dimensions);
  const length = Math.hypot(...kept);
  if (!(length > 0 && Number.isFinite(length))) throw new RangeError('the vector has no direction');
  return kept.map((value) => value / length);
}
