import type { Feature } from '../../feature.js';
import { FilesModule } from './files.module.js';
import { deleteFilesJob } from './delete-files.job.js';
import { sweepUnfinishedFilesJob } from './sweep-unfinished-files.job.js';

export const filesFeature: Feature = {
  module: FilesModule,
  jobs: [deleteFilesJob, sweepUnfinishedFilesJob],
};
