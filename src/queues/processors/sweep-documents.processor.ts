import { IngestionService } from '../../modules/knowledgebases/ingestion/ingestion.service.js';
import { TemporaryFilesService } from '../../modules/knowledgebases/temporary-files.service.js';
import { sweepDocumentsJob } from '../definitions/sweep-documents.job.js';
import { JobProcessor } from '../job-processor.js';
import { ProcessorOf } from '../processor-of.js';

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
