import { Module } from '@nestjs/common';
import { EmbeddingsConfig } from '../../config/config.js';
import { Embeddings } from './embeddings.js';
import { NoEmbeddings } from './no-embeddings.js';
import { OpenAiEmbeddings } from './openai/openai-embeddings.js';

function embeddingsFrom({ model, dimensions, ...server }: EmbeddingsConfig): Embeddings {
  return model !== undefined && dimensions !== undefined
    ? new OpenAiEmbeddings({ ...server, model, dimensions })
    : new NoEmbeddings();
}

@Module({
  providers: [{ provide: Embeddings, useFactory: embeddingsFrom, inject: [EmbeddingsConfig] }],
  exports: [Embeddings],
})
export class EmbeddingsModule {}
