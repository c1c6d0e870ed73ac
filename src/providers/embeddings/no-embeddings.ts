import { Embeddings } from './embeddings.js';
import { EmbeddingsError } from './embeddings-error.js';

/** No model is configured: search goes by words alone. */
export class NoEmbeddings extends Embeddings {
  readonly space = null;

  embed(): Promise<number[][]> {
    return Promise.reject(new EmbeddingsError('rejected', { cause: 'no embedding model is configured' }));
  }
}
