import { IngestionService } from './ingestion.service.js';
import { ingestDocumentJob } from './ingest-document.job.js';
import type { PayloadOf } from '../../../queues/job-definition.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(ingestDocumentJob)
export class IngestDocumentProcessor extends JobProcessor<typeof ingestDocumentJob> {
  constructor(private readonly ingestion: IngestionService) {
    super(ingestDocumentJob);
  }

  protected handle({ documentId }: PayloadOf<typeof ingestDocumentJob>): Promise<unknown> {
    return this.ingestion.ingest(documentId);
  }
}
