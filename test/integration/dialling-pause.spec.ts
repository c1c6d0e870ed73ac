import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { CampaignProgressRepository } from '../../src/modules/campaigns/progress/campaign-progress.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createStartableCampaign } from '../support/campaign-builders.js';

/** A call of the longest duration, ten minutes, costs 0.60; a day at most 1. */
const PRICES = {
  CALL_PRICE_PER_MINUTE: '0.06',
  CARRIER_PRICE_PER_MINUTE: '0',
  RATE_LIMITS: 'on',
  DAILY_SPEND_CAP: '1',
};
const ALWAYS = "timezone = 'UTC', allowed_hours_start_time = '00:00', allowed_hours_end_time = '24:00'";

let app: TestApp;

/** No process dials here, so the rows do not change. */
beforeAll(async () => {
  app = await TestApp.start({ PROSA_ROLES: 'api', ...PRICES });
}, 60_000);
afterAll(() => app.stop());

/** A campaign that runs at any hour, with a due lead, and no process to call it. */
async function running(balanceUsd = 5): Promise<{ owner: TestAccount; id: number }> {
  const owner = await app.account({ balanceUsd });
  const id = await createStartableCampaign(app, owner);
  await app.query(`UPDATE campaigns SET status = 'in-progress', ${ALWAYS} WHERE id = $1`, [id]);
  return { owner, id };
}

async function pauseOf(owner: TestAccount, id: number) {
  const { body } = await app.as(owner).get(`/api/user/campaigns/${id}/progress`).expect(200);
  return body.dialling_paused;
}

const because = (reason: string) => ({ reason, since: null, retry_at: null });

describe('a running campaign without calls gives the reason:', () => {
  it('none, while a lead is due and can be called', async () => {
    const { owner, id } = await running();
    expect(await pauseOf(owner, id)).toBeNull();
  });

  it('its assistant is inactive, and then gone', async () => {
    const { owner, id } = await running();
    const [campaign] = await app.query<{ assistant_id: number }>(
      'SELECT assistant_id FROM campaigns WHERE id = $1',
      [id],
    );
    const path = `/api/user/assistant/${campaign!.assistant_id}`;
    await app.as(owner).put(path).send({ status: 'inactive' }).expect(200);
    expect(await pauseOf(owner, id)).toEqual(because('assistant_inactive'));
    await app.as(owner).delete(path).expect(200);
    expect(await pauseOf(owner, id)).toEqual(because('assistant_missing'));
  });

  it('there is no number to call from', async () => {
    const { owner, id } = await running();
    await app.query('DELETE FROM campaign_phone_numbers WHERE campaign_id = $1', [id]);
    expect(await pauseOf(owner, id)).toEqual(because('no_phone_number'));
  });

  it('its hours are closed, and when they begin', async () => {
    const { owner, id } = await running();
    // The day of the week of tomorrow, whatever today is.
    const tomorrow = new Date(Date.now() + 24 * 3_600_000);
    const day = tomorrow.toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }).toLowerCase();
    await app.query(
      "UPDATE campaigns SET allowed_days = ARRAY[$2], allowed_hours_start_time = '09:30' WHERE id = $1",
      [id, day],
    );
    const opensAt = `${tomorrow.toISOString().slice(0, 10)}T09:30:00.000Z`;
    expect(await pauseOf(owner, id)).toEqual({
      reason: 'outside_allowed_hours',
      since: null,
      retry_at: opensAt,
    });
  });

  it('its time zone is one that the database does not know', async () => {
    const { owner, id } = await running();
    await app.query("UPDATE campaigns SET timezone = 'Mars/Olympus' WHERE id = $1", [id]);
    expect(await pauseOf(owner, id)).toEqual(because('timezone_unknown'));
  });

  it('the balance does not pay for the longest call', async () => {
    const { owner, id } = await running(0.59);
    expect(await pauseOf(owner, id)).toEqual(because('insufficient_balance'));
    await app.query('UPDATE wallets SET balance_micros = 600000 WHERE user_id = $1', [owner.userId]);
    expect(await pauseOf(owner, id)).toBeNull();
    await app.query('UPDATE wallets SET held_micros = 1 WHERE user_id = $1', [owner.userId]);
    expect(await pauseOf(owner, id)).toEqual(because('insufficient_balance'));
  });

  it('what may be spent in a day is used up, until the next day of UTC', async () => {
    const { owner, id } = await running();
    await app.query(
      `UPDATE wallets SET spent_on = (now() AT TIME ZONE 'UTC')::date, spent_micros = 400001 WHERE user_id = $1`,
      [owner.userId],
    );
    const { reason, retry_at: retryAt } = await pauseOf(owner, id);
    expect(reason).toBe('daily_spend_cap');
    expect(retryAt).toMatch(/T00:00:00\.000Z$/);
    const inMs = new Date(retryAt).getTime() - Date.now();
    expect(inMs).toBeGreaterThan(-5_000);
    expect(inMs).toBeLessThanOrEqual(24 * 3_600_000);
  });

  it('all who are left are due later, and when', async () => {
    const { owner, id } = await running();
    await app.query("UPDATE lead_dials SET due_at = '2100-01-01T12:00:00Z' WHERE campaign_id = $1", [id]);
    expect(await pauseOf(owner, id)).toEqual({
      reason: 'nobody_due',
      since: null,
      retry_at: '2100-01-01T12:00:00.000Z',
    });
  });

  it.each(['draft', 'stopped', 'completed'])('nothing, when it is %s', async (status) => {
    const { owner, id } = await running(0);
    await app.query('UPDATE campaigns SET status = $2 WHERE id = $1', [id, status]);
    expect(await pauseOf(owner, id)).toBeNull();
  });

  it('none, when no lead is left', async () => {
    const { owner, id } = await running(0);
    await app.query("UPDATE leads SET status = 'completed' WHERE campaign_id = $1", [id]);
    await app.query('DELETE FROM lead_dials WHERE campaign_id = $1', [id]);
    expect(await pauseOf(owner, id)).toBeNull();
  });
});

describe('the hours of a campaign begin next', () => {
  it.each([
    ['later today', 'monday,friday', '2026-11-16T08:00-03:00', '2026-11-16T09:00-03:00'],
    ['on the next day that is allowed', 'monday,friday', '2026-11-16T09:00-03:00', '2026-11-20T09:00-03:00'],
    ['in a week', 'monday', '2026-11-16T18:00-03:00', '2026-11-23T09:00-03:00'],
    ['on Monday, after Friday', 'monday,friday', '2026-11-20T23:59-03:00', '2026-11-23T09:00-03:00'],
  ])('%s', async (_when, days, at, expected) => {
    const { owner, id } = await running();
    await app.query(
      `UPDATE campaigns SET timezone = 'America/Sao_Paulo', allowed_days = $2,
         allowed_hours_start_time = '09:00', allowed_hours_end_time = '18:00' WHERE id = $1`,
      [id, days.split(',')],
    );
    const progress = new CampaignProgressRepository(app.app.get(Database));
    const { opensAt } = await progress.callingHoursOf(owner.userId, id, new Date(at));
    expect(opensAt).toEqual(new Date(expected));
  });
});
