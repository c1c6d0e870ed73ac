import type { Feature } from '../../feature.js';
import { LeadsModule } from './leads.module.js';

export const leadsFeature: Feature = {
  module: LeadsModule,
  tags: [{ name: 'Leads', description: 'Whom a campaign calls, one by one or from a CSV file.' }],
};
