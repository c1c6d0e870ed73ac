import { IngestionService } from '../../modules/knowledgebases/ingestion/ingestion.service.js';
import { sweepDocumentsJob } from '../definitions/sweep-documents.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

@ProcessorOf(sweepDocumentsJob)
export class SweepDocumentsProcessor extends JobProcessor<typeof sweepDocumentsJob> {
  constructor(private readonly ingestion: IngestionService) {
    super(sweepDocumentsJob);
  }

  protected handle(): Promise<unknown> {
    return this.ingestion.wakeForgotten();
  }
}
