import type { Feature } from '../../feature.js';
import { KnowledgebasesModule } from './knowledgebases.module.js';
import { ingestDocumentJob } from './ingestion/ingest-document.job.js';
import { IngestDocumentProcessor } from './ingestion/ingest-document.processor.js';
import { sweepDocumentsJob } from './documents/sweep-documents.job.js';
import { reindexWordsJob } from './reindexing/reindex-words.job.js';
import { ReindexWordsProcessor } from './reindexing/reindex-words.processor.js';
import { SweepDocumentsProcessor } from './documents/sweep-documents.processor.js';

export const knowledgebasesFeature: Feature = {
  module: KnowledgebasesModule,
  jobs: [
    { definition: ingestDocumentJob, processor: IngestDocumentProcessor },
    { definition: sweepDocumentsJob, processor: SweepDocumentsProcessor },
    { definition: reindexWordsJob, processor: ReindexWordsProcessor },
  ],
  tags: [{ name: 'Knowledge bases', description: 'Documents that an assistant consults.' }],
};
