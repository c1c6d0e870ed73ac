import { CallCountsService } from '../../src/modules/calls/listing/call-counts.service.js';
import { LeadCountsService } from '../../src/modules/leads/counts/lead-counts.service.js';
import type { TestApp } from './app.js';
import { until } from './until.js';

/** Moves all changes of counts to where they end up. It happens in the background as well. */
export const settleCounts = (app: TestApp): Promise<unknown> =>
  until(async () => {
    await app.app.get(CallCountsService, { strict: false }).settle();
    await app.app.get(LeadCountsService, { strict: false }).settle();
    const left = await app.query('SELECT FROM call_count_changes UNION ALL SELECT FROM lead_count_changes');
    return left.length === 0;
  });
