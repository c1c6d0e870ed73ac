import type { Feature } from '../../feature.js';
import { KnowledgebasesModule } from './knowledgebases.module.js';
import { ingestDocumentJob } from './ingestion/ingest-document.job.js';
import { sweepDocumentsJob } from './documents/sweep-documents.job.js';
import { reindexWordsJob } from './reindexing/reindex-words.job.js';

export const knowledgebasesFeature: Feature = {
  module: KnowledgebasesModule,
  jobs: [ingestDocumentJob, sweepDocumentsJob, reindexWordsJob],
  tags: [{ name: 'Knowledge bases', description: 'Documents that an assistant consults.' }],
};
