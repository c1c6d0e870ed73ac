/** Vectors of one space can be compared with one another, and with no others. */
export interface EmbeddingSpace {
  readonly model: string;
  readonly dimensions: number;
}

/** Turns texts into vectors whose nearness is nearness in meaning. */
export abstract class Embeddings {
  /** Null when there is no model: search then goes by words alone, and `embed` must not be called. */
  abstract readonly space: EmbeddingSpace | null;

  /**
   * One vector of unit length for each text, in their order.
   *
   * @param texts none of them empty, at most {@link MAX_TEXTS}
   * @throws EmbeddingsError and nothing else
   */
  abstract embed(texts: readonly string[], options?: EmbedOptions): Promise<number[][]>;
}

export interface EmbedOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Texts of one request. */
export const MAX_TEXTS = 64;

/** The name of a space, as it is stored with its vectors. */
export function nameOfSpace({ model, dimensions }: EmbeddingSpace): string {
  return `${model}/${dimensions}`;
}
