import { IngestionService } from '../ingestion/ingestion.service.js';
import { sweepDocumentsJob } from './sweep-documents.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(sweepDocumentsJob)
export class SweepDocumentsProcessor extends JobProcessor<typeof sweepDocumentsJob> {
  constructor(private readonly ingestion: IngestionService) {
    super(sweepDocumentsJob);
  }

  protected handle(): Promise<unknown> {
    return this.ingestion.wakeForgotten();
  }
}
