import type { Feature } from '../../feature.js';
import { AccountDataModule } from './account-data.module.js';
import { runAccountDeletionJob } from './deletion/run-account-deletion.job.js';
import { sweepAccountDeletionsJob } from './deletion/sweep-account-deletions.job.js';
import { runAccountExportJob } from './exports/run-account-export.job.js';
import { sweepAccountExportsJob } from './exports/sweep-account-exports.job.js';

export const accountDataFeature: Feature = {
  module: AccountDataModule,
  jobs: [runAccountDeletionJob, sweepAccountDeletionsJob, runAccountExportJob, sweepAccountExportsJob],
};
