import type { Feature } from '../../feature.js';
import { FilesModule } from './files.module.js';
import { deleteFilesJob } from './delete-files.job.js';
import { DeleteFilesProcessor } from './delete-files.processor.js';
import { sweepUnfinishedFilesJob } from './sweep-unfinished-files.job.js';
import { SweepUnfinishedFilesProcessor } from './sweep-unfinished-files.processor.js';

export const filesFeature: Feature = {
  module: FilesModule,
  jobs: [
    { definition: deleteFilesJob, processor: DeleteFilesProcessor },
    { definition: sweepUnfinishedFilesJob, processor: SweepUnfinishedFilesProcessor },
  ],
};
