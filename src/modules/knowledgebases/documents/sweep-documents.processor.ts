import { IngestionService } from '../ingestion/ingestion.service.js';
import { TemporaryFilesService } from './temporary-files.service.js';
import { sweepDocumentsJob } from './sweep-documents.job.js';
import { JobProcessor } from '../../../queues/job-processor.js';
import { ProcessorOf } from '../../../queues/processor-of.js';

@ProcessorOf(sweepDocumentsJob)
export class SweepDocumentsProcessor extends JobProcessor<typeof sweepDocumentsJob> {
  constructor(
    private readonly ingestion: IngestionService,
    private readonly temporaryFiles: TemporaryFilesService,
  ) {
    super(sweepDocumentsJob);
  }

  protected async handle(): Promise<unknown> {
    await this.temporaryFiles.sweep();
    return this.ingestion.wakeForgotten();
  }
}
