import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Embeddings, MAX_TEXTS, nameOfSpace } from '../../../providers/embeddings/embeddings.js';
import { EmbeddingsError } from '../../../providers/embeddings/embeddings-error.js';
import { ChunksRepository } from './chunks.repository.js';
import { IngestionRepository, type Reading } from './ingestion.repository.js';

/** Runs in which a model that does not answer is waited for; afterwards the document is found by its words alone. */
const PATIENT_ATTEMPTS = 4;
const FROM_PERCENT = 70;
const TO_PERCENT = 99;

/** Gives the chunks of a document their vectors, those that have none of the present model. */
@Injectable()
export class ChunkEmbedderService {
  constructor(
    private readonly embeddings: Embeddings,
    private readonly chunks: ChunksRepository,
    private readonly readings: IngestionRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * @returns the space in which every chunk has a vector now; null when there is no model, or it refuses or stays
   *   away: the vectors are added later, by the sweep
   * @throws EmbeddingsError when it is worth waiting for the model
   */
  async embed(reading: Reading): Promise<string | null> {
    const { space } = this.embeddings;
    if (!space) return null;
    try {
      await this.embedAll(reading, nameOfSpace(space));
      return nameOfSpace(space);
    } catch (error) {
      if (!(error instanceof EmbeddingsError)) throw error;
      if (error.retryable && reading.attempts < PATIENT_ATTEMPTS) throw error;
      this.logger.warn('a document stays without vectors for now', { documentId: reading.id, err: error });
      return null;
    }
  }

  private async embedAll(reading: Reading, space: string): Promise<void> {
    for (;;) {
      const batch = await this.chunks.unembedded(reading, space, MAX_TEXTS);
      if (batch.length === 0) return;
      const vectors = await this.embeddings.embed(batch.map(({ text }) => text));
      await this.chunks.saveEmbeddings(batch, vectors, space);
      const share = await this.chunks.embeddedShare(reading, space);
      const percent = FROM_PERCENT + (TO_PERCENT - FROM_PERCENT) * share;
      await this.readings.progressTo(reading.id, Math.floor(percent));
    }
  }
}
