import type { Feature } from '../../feature.js';
import { sweepLeadRefusalsJob } from './imports/refusals/sweep-lead-refusals.job.js';
import { LeadsModule } from './leads.module.js';

export const leadsFeature: Feature = {
  module: LeadsModule,
  jobs: [sweepLeadRefusalsJob],
  tags: [{ name: 'Leads', description: 'Whom a campaign calls, one by one or from a CSV or XLSX file.' }],
};
