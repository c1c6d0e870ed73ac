import { IngestionService } from '../../modules/knowledgebases/ingestion/ingestion.service.js';
import { ingestDocumentJob } from '../definitions/ingest-document.job.js';
import type { PayloadOf } from '../job-definition.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(ingestDocumentJob)
export class IngestDocumentProcessor extends JobProcessor<typeof ingestDocumentJob> {
  constructor(private readonly ingestion: IngestionService) {
    super(ingestDocumentJob);
  }

  protected handle({ documentId }: PayloadOf<typeof ingestDocumentJob>): Promise<unknown> {
    return this.ingestion.ingest(documentId);
  }
}
