export type EmbeddingsErrorCode = 'timeout' | 'unavailable' | 'rejected' | 'malformed' | 'aborted';

/** Why there are no vectors. What the provider said is only in `cause`. */
export class EmbeddingsError extends Error {
  override readonly name = 'EmbeddingsError';

  constructor(
    readonly code: EmbeddingsErrorCode,
    options?: ErrorOptions,
  ) {
    super(`no embeddings: ${code}`, options);
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.code === 'timeout' || this.code === 'unavailable' || this.code === 'malformed';
  }
}
