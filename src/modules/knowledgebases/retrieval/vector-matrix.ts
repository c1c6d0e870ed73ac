import { compareIds } from './rank-fusion.js';
import type { VectorRow } from './vectors.repository.js';

/** Bytes before the first value in what PostgreSQL's `array_send` writes for an array of one dimension. */
const HEADER_BYTES = 20;
/** A value of it: four bytes that say how long it is, and a real in network order. */
const VALUE_BYTES = 8;
const LENGTH_BYTES = 4;

/** Unit vectors in one block of memory, and the exact search among them. */
export class VectorMatrix {
  private constructor(
    private readonly dimensions: number,
    private readonly ids: readonly string[],
    private readonly values: Float32Array,
  ) {}

  static of(dimensions: number, rows: readonly VectorRow[]): VectorMatrix {
    const values = new Float32Array(rows.length * dimensions);
    rows.forEach(({ embedding }, row) => {
      for (let i = 0; i < dimensions; i++) {
        values[row * dimensions + i] = embedding.readFloatBE(HEADER_BYTES + i * VALUE_BYTES + LENGTH_BYTES);
      }
    });
    return new VectorMatrix(
      dimensions,
      rows.map(({ id }) => id),
      values,
    );
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  /** The nearest to the unit vector with their cosines, nearest first. */
  nearest(vector: readonly number[], limit: number): Neighbour[] {
    const query = Float32Array.from(vector);
    const best: Neighbour[] = [];
    let threshold = -Infinity;
    for (let row = 0; row < this.ids.length; row++) {
      const cosine = this.dot(query, row * this.dimensions);
      if (cosine <= threshold) continue;
      insertSorted(best, { id: this.ids[row] ?? '', cosine });
      if (best.length > limit) best.pop();
      if (best.length === limit) threshold = best.at(-1)?.cosine ?? -Infinity;
    }
    return best;
  }

  /**
   * Four sums at a time keep the processor's units busy; this is where an exact search spends its time. Every index is
   * within the arrays, so that nothing is asked twice.
   */
  private dot(query: Float32Array, offset: number): number {
    const { dimensions, values } = this;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    let i = 0;
    for (; i + 3 < dimensions; i += 4) {
      a += (query[i] as number) * (values[offset + i] as number);
      b += (query[i + 1] as number) * (values[offset + i + 1] as number);
      c += (query[i + 2] as number) * (values[offset + i + 2] as number);
      d += (query[i + 3] as number) * (values[offset + i + 3] as number);
    }
    for (; i < dimensions; i++) a += (query[i] as number) * (values[offset + i] as number);
    return a + b + c + d;
  }
}

export interface Neighbour {
  readonly id: string;
  readonly cosine: number;
}

/** The nearest of several searches together. */
export function mergeNeighbours(lists: readonly (readonly Neighbour[])[], limit: number): Neighbour[] {
  return lists.flat().toSorted(compareNeighbours).slice(0, limit);
}

function insertSorted(list: Neighbour[], neighbour: Neighbour): void {
  let index = list.length;
  for (; index > 0; index--) {
    const other = list[index - 1];
    if (!other || compareNeighbours(other, neighbour) <= 0) break;
  }
  list.splice(index, 0, neighbour);
}

function compareNeighbours(a: Neighbour, b: Neighbour): number {
  return b.cosine - a.cosine || compareIds(a.id, b.id);
}
