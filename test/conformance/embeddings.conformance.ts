import { describe, expect, it } from '@jest/globals';
import { type Embeddings, MAX_TEXTS } from '../../src/providers/embeddings/embeddings.js';
import { EmbeddingsError } from '../../src/providers/embeddings/embeddings-error.js';

/** Defines the tests every adapter of the Embeddings port passes. */
export function describeEmbeddingsConformance(name: string, embeddings: () => Embeddings): void {
  describe(`${name} as Embeddings`, () => {
    it('gives one vector of unit length and of its dimensions for each text', async () => {
      const texts = ['bom dia', 'good morning', 'a'.repeat(2_000)];

      const vectors = await embeddings().embed(texts);

      expect(vectors).toHaveLength(3);
      for (const vector of vectors) {
        expect(vector).toHaveLength(embeddings().space?.dimensions ?? 0);
        expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      }
    });

    it('keeps the order of the texts, and gives the same text the same vector', async () => {
      const [first, second, again] = await embeddings().embed(['um', 'dois', 'um']);

      expect(again).toEqual(first);
      expect(second).not.toEqual(first);
    });

    it('takes as many texts as one request may have, and no more', async () => {
      const texts = Array.from({ length: MAX_TEXTS }, (_, index) => `text ${index}`);

      expect(await embeddings().embed(texts)).toHaveLength(MAX_TEXTS);
      await expect(embeddings().embed([...texts, 'one more'])).rejects.toThrow(EmbeddingsError);
    });

    it('sends no request for no texts', async () => {
      expect(await embeddings().embed([])).toEqual([]);
    });

    it('gives up when the caller does', async () => {
      const signal = AbortSignal.abort();

      await expect(embeddings().embed(['x'], { signal })).rejects.toThrow(
        expect.objectContaining({ code: 'aborted', retryable: false }),
      );
    });
  });
}
