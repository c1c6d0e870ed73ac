import { describe, expect, it } from '@jest/globals';
import { CAMPAIGN_STATUSES, mayMove } from './campaign-status.js';

const ALLOWED = new Set([
  'draft in-progress',
  'in-progress stopped',
  'in-progress completed',
  'stopped in-progress',
  'completed in-progress',
]);

describe('the status of a campaign', () => {
  it.each(
    CAMPAIGN_STATUSES.flatMap((from) =>
      CAMPAIGN_STATUSES.map((to) => [from, to, ALLOWED.has(`${from} ${to}`)] as const),
    ),
  )('may move from %s to %s: %p', (from, to, allowed) => {
    expect(mayMove(from, to)).toBe(allowed);
  });
});
