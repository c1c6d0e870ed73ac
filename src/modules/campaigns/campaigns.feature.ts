import type { Feature } from '../../feature.js';
import { CampaignsModule } from './campaigns.module.js';
import { CampaignsDiallerModule } from './campaigns-dialler.module.js';
import { dialCampaignsJob } from './dialler/dial-campaigns.job.js';
import { leadOutcomeJob } from '../call-completion/lead-outcome.job.js';
import { sweepDialsJob } from './dialler/recovery/sweep-dials.job.js';
import { sweepSettledAttemptsJob } from './dialler/attempts/sweep-settled-attempts.job.js';

export const campaignsFeature: Feature = {
  module: CampaignsModule,
  workerModules: [CampaignsDiallerModule],
  jobs: [dialCampaignsJob, leadOutcomeJob, sweepDialsJob, sweepSettledAttemptsJob],
  tags: [{ name: 'Campaigns', description: 'Outbound calls to many leads, within hours and with retries.' }],
};
