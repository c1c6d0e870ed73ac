import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { type TestAccount, TestApp } from '../support/app.js';
import { createCampaign, createLead, phoneNumber } from '../support/campaign-builders.js';
import { type Plan, rowsOf } from '../support/plan-rows.js';

const LEADS = 20_000;
/** A lead, its secondary contact, the campaign, and what the keys are found by. */
const A_FEW_ROWS = 20;

interface Asked {
  readonly text?: string;
  readonly values?: unknown[];
}

/** For up to a minute after an import PostgreSQL has no statistics of it, and plans as for a small table. */
describe('a campaign that has just got 20,000 leads', () => {
  let app: TestApp;
  let owner: TestAccount;
  let leadId: number;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    await app.query('ALTER TABLE leads SET (autovacuum_enabled = off)');
    const campaignId = await createCampaign(app, owner);
    await app.query(
      `INSERT INTO leads (user_id, campaign_id, phone_number)
       SELECT $1, $2, '+55119' || (70000000 + n) FROM generate_series(1, $3::integer) n`,
      [owner.userId, campaignId, LEADS],
    );
    leadId = await createLead(app, owner, campaignId, {
      secondary_contacts: [{ phone_number: phoneNumber(2) }],
    });
  });
  afterAll(() => app.stop());

  it('reads a lead and its secondary contacts by their keys', async () => {
    const sent = jest.spyOn(Client.prototype, 'query');
    const { body } = await app.as(owner).get(`/api/user/leads/${leadId}`).expect(200);
    const asked = sent.mock.calls
      .map(([statement]) => statement as unknown as Asked)
      .filter(({ text }) => /FROM leads\b/.test(text ?? ''));
    sent.mockRestore();
    expect(body.secondary_contacts).toHaveLength(1);
    expect(asked.length).toBeGreaterThan(0);
    for (const { text, values } of asked) {
      const [row] = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      expect(row && rowsOf(row['QUERY PLAN'][0].Plan)).toBeLessThan(A_FEW_ROWS);
    }
  });
});
