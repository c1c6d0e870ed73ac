import type { VectorRow } from './vectors.repository.js';

/** Bytes before the first value in what PostgreSQL's `array_send` writes for an array of one dimension. */
const HEADER_BYTES = 20;
/** A value of it: four bytes that say how long it is, and a real in network order. */
const VALUE_BYTES = 8;
const LENGTH_BYTES = 4;

/** Unit vectors in one block of memory, which threads can share. */
export class VectorMatrix {
  /** The vectors, one after the other. */
  readonly values: Float32Array;
  private readonly rows: ReadonlyMap<string, number>;

  /** @param ids of the rows, in ascending order; a row is zero, near to nothing, until it is filled */
  constructor(
    readonly ids: readonly string[],
    private readonly dimensions: number,
  ) {
    const bytes = VectorMatrix.bytesOf(ids.length, dimensions);
    this.values = new Float32Array(new SharedArrayBuffer(bytes));
    this.rows = new Map(ids.map((id, row) => [id, row]));
  }

  static bytesOf(rows: number, dimensions: number): number {
    return rows * dimensions * Float32Array.BYTES_PER_ELEMENT;
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  /** Fills the rows that another matrix has already, and returns the ids of the others. */
  copyFrom(other: VectorMatrix): string[] {
    return this.ids.filter((id, row) => {
      const from = other.rows.get(id);
      if (from === undefined) return true;
      const { dimensions } = this;
      this.values.set(other.values.subarray(from * dimensions, (from + 1) * dimensions), row * dimensions);
      return false;
    });
  }

  fill(rows: readonly VectorRow[]): void {
    for (const { id, embedding } of rows) {
      const row = this.rows.get(id);
      if (row === undefined) continue;
      const bytes = new DataView(embedding.buffer, embedding.byteOffset, embedding.byteLength);
      const offset = row * this.dimensions;
      for (let i = 0; i < this.dimensions; i++) {
        this.values[offset + i] = bytes.getFloat32(HEADER_BYTES + i * VALUE_BYTES + LENGTH_BYTES);
      }
    }
  }
}
