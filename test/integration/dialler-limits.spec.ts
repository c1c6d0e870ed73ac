import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { DialClaimsRepository } from '../../src/modules/campaigns/dialler/claims/dial-claims.repository.js';
import { LeadClaimerService } from '../../src/modules/campaigns/dialler/claims/lead-claimer.service.js';
import { DiallerService } from '../../src/modules/campaigns/dialler/dialler.service.js';
import { DueCampaignsService } from '../../src/modules/campaigns/dialler/due-campaigns.service.js';
import { LeadLocksRepository } from '../../src/modules/campaigns/dialler/claims/lead-locks.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createStartableCampaign } from '../support/campaign-builders.js';

let app: TestApp;
let owner: TestAccount;
let id: number;

// Only the tests claim: the dialler of the worker role does not run.
beforeAll(async () => {
  jest.spyOn(DiallerService.prototype, 'run').mockResolvedValue(undefined);
  app = await TestApp.start({ PROSA_ROLES: 'api,worker' });
  await app.query('UPDATE plans SET max_calls_in_parallel = 50');
}, 60_000);

afterAll(async () => {
  await app.stop();
  jest.restoreAllMocks();
});

beforeEach(async () => {
  owner = await app.account({ balanceUsd: 500 });
  id = await createStartableCampaign(app, owner);
  await app.query(
    "UPDATE campaigns SET status = 'in-progress', max_calls_in_parallel = 3, max_retries = 2 WHERE id = $1",
    [id],
  );
});

async function addLeads(count: number): Promise<void> {
  await app.query(
    `WITH added AS (
       INSERT INTO leads (user_id, campaign_id, phone_number)
       SELECT $1, $2, '+551198' || lpad(($2 * 100 + n)::text, 7, '0') FROM generate_series(1, $3::int) AS n
       RETURNING id)
     INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
    [owner.userId, id, count],
  );
}

/** How many leads the gate lets through. */
async function claim(limit: number): Promise<{ claimed: number; passed: number }> {
  const { claims, passed } = await app.app.get(LeadClaimerService, { strict: false }).claim(id, limit);
  for (const { lock } of claims) await app.app.get(LeadLocksRepository, { strict: false }).unlock(lock);
  return { claimed: claims.length, passed };
}

const freeLines = async () => {
  const open = await new DialClaimsRepository(app.app.get(Database)).dialling(null, 32);
  return open.find(({ campaignId }) => campaignId === id)?.free;
};

describe('max_calls_in_parallel', () => {
  it('lets as many calls begin as it says and not one more, however many are asked for', async () => {
    await addLeads(9);
    expect(await freeLines()).toBe(3);
    expect(await claim(32)).toEqual({ claimed: 3, passed: 0 });
    expect(await freeLines()).toBe(0);
    expect(await claim(32)).toEqual({ claimed: 0, passed: 0 });
  }, 40_000);

  it('counts the calls there are: with one line less, one more call begins when it ends', async () => {
    await addLeads(9);
    expect(await claim(2)).toEqual({ claimed: 2, passed: 0 });
    expect(await freeLines()).toBe(1);
    expect(await claim(32)).toEqual({ claimed: 1, passed: 0 });
    // The work after a call takes no line.
    await app.query(
      `UPDATE active_calls SET stage = 'evaluating' WHERE call_id = (
         SELECT call_id FROM dial_attempts WHERE campaign_id = $1 LIMIT 1)`,
      [id],
    );
    expect(await freeLines()).toBe(1);
    expect(await claim(32)).toEqual({ claimed: 1, passed: 0 });
  }, 40_000);
});

describe('max_retries', () => {
  it.each([
    [2, { claimed: 1, passed: 0 }, 'created'],
    [3, { claimed: 0, passed: 1 }, 'reached-max-retries'],
  ])(
    'of 2, after %i attempts',
    async (attempts, expected, status) => {
      await app.query('UPDATE lead_dials SET attempts = $2 WHERE campaign_id = $1', [id, attempts]);
      expect(await claim(1)).toEqual(expected);
      expect(await app.query('SELECT status FROM leads WHERE campaign_id = $1', [id])).toEqual([{ status }]);
    },
    40_000,
  );
});

describe('between two looks at all running campaigns', () => {
  it('reads only those that had a lead to call or a call under way', async () => {
    const campaigns = new DueCampaignsService(new DialClaimsRepository(app.app.get(Database)));
    const isAmong = async (found: ReturnType<DueCampaignsService['findAll']>) =>
      (await found).some(({ campaignId }) => campaignId === id);
    await app.query('DELETE FROM leads WHERE campaign_id = $1', [id]);
    expect(campaigns.isStale()).toBe(true);
    expect(await isAmong(campaigns.findAll(32))).toBe(true);
    expect(campaigns.isStale()).toBe(false);
    await addLeads(1);
    expect(await isAmong(campaigns.findActive(32))).toBe(false);
    expect(await isAmong(campaigns.findAll(32))).toBe(true);
    expect(await isAmong(campaigns.findActive(32))).toBe(true);
    // No lead is due any more, but a call is under way.
    expect(await claim(1)).toEqual({ claimed: 1, passed: 0 });
    await campaigns.findAll(32);
    expect(await isAmong(campaigns.findActive(32))).toBe(true);
  }, 40_000);
});

describe('a campaign that another process claims from', () => {
  it('is passed over instead of waited for', async () => {
    await addLeads(1);
    const database = app.app.get(Database);
    await database.run(async (tx) => {
      await database.query('SELECT FROM campaigns WHERE id = $1 FOR NO KEY UPDATE', [id], tx);
      const { claims, isBusy } = await app.app.get(LeadClaimerService, { strict: false }).claim(id, 1);
      expect({ claims, isBusy }).toEqual({ claims: [], isBusy: true });
    });
    expect(await claim(1)).toEqual({ claimed: 1, passed: 0 });
  }, 40_000);
});
