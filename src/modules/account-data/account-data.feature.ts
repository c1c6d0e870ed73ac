import type { Feature } from '../../feature.js';
import { AccountDataModule } from './account-data.module.js';
import { runAccountDeletionJob } from './deletion/run-account-deletion.job.js';
import { RunAccountDeletionProcessor } from './deletion/run-account-deletion.processor.js';
import { sweepAccountDeletionsJob } from './deletion/sweep-account-deletions.job.js';
import { SweepAccountDeletionsProcessor } from './deletion/sweep-account-deletions.processor.js';
import { runAccountExportJob } from './exports/run-account-export.job.js';
import { RunAccountExportProcessor } from './exports/run-account-export.processor.js';
import { sweepAccountExportsJob } from './exports/sweep-account-exports.job.js';
import { SweepAccountExportsProcessor } from './exports/sweep-account-exports.processor.js';

export const accountDataFeature: Feature = {
  module: AccountDataModule,
  jobs: [
    { definition: runAccountDeletionJob, processor: RunAccountDeletionProcessor },
    { definition: sweepAccountDeletionsJob, processor: SweepAccountDeletionsProcessor },
    { definition: runAccountExportJob, processor: RunAccountExportProcessor },
    { definition: sweepAccountExportsJob, processor: SweepAccountExportsProcessor },
  ],
};
