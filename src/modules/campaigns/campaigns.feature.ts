import type { Feature } from '../../feature.js';
import { CampaignsModule } from './campaigns.module.js';
import { CampaignsDiallerModule } from './campaigns-dialler.module.js';
import { dialCampaignsJob } from './dialler/dial-campaigns.job.js';
import { DialCampaignsProcessor } from './dialler/dial-campaigns.processor.js';
import { leadOutcomeJob } from '../call-completion/lead-outcome.job.js';
import { LeadOutcomeProcessor } from './dialler/outcomes/lead-outcome.processor.js';
import { sweepDialsJob } from './dialler/recovery/sweep-dials.job.js';
import { SweepDialsProcessor } from './dialler/recovery/sweep-dials.processor.js';
import { sweepSettledAttemptsJob } from './dialler/attempts/sweep-settled-attempts.job.js';
import { SweepSettledAttemptsProcessor } from './dialler/attempts/sweep-settled-attempts.processor.js';

export const campaignsFeature: Feature = {
  module: CampaignsModule,
  workerModules: [CampaignsDiallerModule],
  jobs: [
    { definition: dialCampaignsJob, processor: DialCampaignsProcessor },
    { definition: leadOutcomeJob, processor: LeadOutcomeProcessor },
    { definition: sweepDialsJob, processor: SweepDialsProcessor },
    { definition: sweepSettledAttemptsJob, processor: SweepSettledAttemptsProcessor },
  ],
  tags: [{ name: 'Campaigns', description: 'Outbound calls to many leads, within hours and with retries.' }],
};
