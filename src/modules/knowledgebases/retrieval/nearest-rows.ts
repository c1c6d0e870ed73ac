/** A row of a matrix and its cosine with what is looked for. */
export interface NearRow {
  readonly row: number;
  readonly cosine: number;
}

const ROWS_AT_A_TIME = 4;

/**
 * The rows nearest to a vector, nearest first, and the lower row first where two are as near. All are unit vectors, so
 * that a dot product is the cosine.
 *
 * @param values rows of `vector.length` values each, one after the other
 */
export function nearestRows(values: Float32Array, vector: Float32Array, limit: number): NearRow[] {
  const dimensions = vector.length;
  const rows = values.length / dimensions;
  const given = Float64Array.from(vector);
  const cosines = new Float64Array(ROWS_AT_A_TIME);
  const best: NearRow[] = [];
  for (let first = 0; first < rows; first += ROWS_AT_A_TIME) {
    dotFour(given, values, first, cosines);
    for (let row = first; row < first + ROWS_AT_A_TIME && row < rows; row++) {
      insert(best, { row, cosine: cosines[row - first] ?? 0 }, limit);
    }
  }
  return best;
}

function insert(best: NearRow[], found: NearRow, limit: number): void {
  if (best.length === limit && found.cosine <= (best.at(-1)?.cosine ?? 0)) return;
  const index = best.findIndex((other) => other.cosine < found.cosine);
  best.splice(index === -1 ? best.length : index, 0, found);
  if (best.length > limit) best.pop();
}

/**
 * Writes the dot products of four rows; missing rows at the end repeat the last one. This is where an exact search
 * spends its time. Four rows share each value of the vector, already as wide as JavaScript adds it. Their four sums
 * keep the processor's units busy. Every index is within the arrays, so that no bounds check is repeated.
 */
function dotFour(vector: Float64Array, values: Float32Array, first: number, sums: Float64Array): void {
  const dimensions = vector.length;
  const last = values.length - dimensions;
  const i = Math.min(first * dimensions, last);
  const j = Math.min((first + 1) * dimensions, last);
  const k = Math.min((first + 2) * dimensions, last);
  const l = Math.min((first + 3) * dimensions, last);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let n = 0; n < dimensions; n++) {
    const value = vector[n] as number;
    a += value * (values[i + n] as number);
    b += value * (values[j + n] as number);
    c += value * (values[k + n] as number);
    d += value * (values[l + n] as number);
  }
  sums[0] = a;
  sums[1] = b;
  sums[2] = c;
  sums[3] = d;
}
