/** A row of a matrix and its cosine with what is looked for. */
export interface NearRow {
  readonly row: number;
  readonly cosine: number;
}

/**
 * The rows nearest to a vector, nearest first, and the lower row first where two are as near. All are unit vectors, so
 * that a dot product is the cosine.
 *
 * @param values rows of `vector.length` values each, one after the other
 */
export function nearestRows(values: Float32Array, vector: Float32Array, limit: number): NearRow[] {
  const dimensions = vector.length;
  const best: NearRow[] = [];
  for (let row = 0, offset = 0; offset < values.length; row++, offset += dimensions) {
    const cosine = dot(vector, values, offset);
    if (best.length === limit && cosine <= (best.at(-1)?.cosine ?? 0)) continue;
    const index = best.findIndex((other) => other.cosine < cosine);
    best.splice(index === -1 ? best.length : index, 0, { row, cosine });
    if (best.length > limit) best.pop();
  }
  return best;
}

/**
 * Four sums at a time keep the processor's units busy; this is where an exact search spends its time. Every index is
 * within the arrays, so that nothing is asked twice.
 */
function dot(vector: Float32Array, values: Float32Array, offset: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < vector.length; i += 4) {
    a += (vector[i] as number) * (values[offset + i] as number);
    b += (vector[i + 1] as number) * (values[offset + i + 1] as number);
    c += (vector[i + 2] as number) * (values[offset + i + 2] as number);
    d += (vector[i + 3] as number) * (values[offset + i + 3] as number);
  }
  for (; i < vector.length; i++) a += (vector[i] as number) * (values[offset + i] as number);
  return a + b + c + d;
}
