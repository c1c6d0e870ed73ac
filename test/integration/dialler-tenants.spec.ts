import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { DiallerService } from '../../src/modules/campaigns/dialler/dialler.service.js';
import { TestApp } from '../support/app.js';
import { createStartableCampaign } from '../support/campaign-builders.js';

let app: TestApp;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-dialler-tenants-'));
  app = await TestApp.start({ PROSA_ROLES: 'api,worker', SANDBOX_SPEED: '1000000', DATA_DIR: dataDir });
  await app.query('UPDATE plans SET max_calls_in_parallel = 50');
}, 60_000);

afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Running {
  readonly userId: number;
  readonly campaignId: number;
}

/** A running campaign of a new tenant; its leads refuse every call. */
async function runningCampaign(leads: number): Promise<Running> {
  const { userId, ...owner } = await app.account({ balanceUsd: 500 });
  const campaignId = await createStartableCampaign(app, { userId, ...owner });
  await app.query("UPDATE campaigns SET status = 'in-progress', max_calls_in_parallel = 3 WHERE id = $1", [
    campaignId,
  ]);
  await app.query('DELETE FROM leads WHERE campaign_id = $1', [campaignId]);
  await app.query(
    `WITH added AS (
       INSERT INTO leads (user_id, campaign_id, phone_number)
       SELECT $1, $2, '+5511' || lpad((900000000 + $2 * 100000 + n * 100 + 4)::text, 9, '0')
       FROM generate_series(1, $3::int) AS n RETURNING id)
     INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() + interval '1 day' FROM added`,
    [userId, campaignId, leads],
  );
  return { userId, campaignId };
}

/** How many of its leads have been called to an end. */
async function calledOf({ campaignId }: Running): Promise<number> {
  const [row] = await app.query<{ count: string }>(
    "SELECT count(DISTINCT lead_id) AS count FROM dial_attempts WHERE campaign_id = $1 AND state = 'settled'",
    [campaignId],
  );
  return Number(row?.count);
}

async function until(what: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 40_000;
  while (!(await what())) {
    if (Date.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Holds a row as a slow transaction would; returns how to let go of it. */
async function holding(table: 'users' | 'campaigns', id: number): Promise<() => Promise<void>> {
  const database = app.app.get(Database);
  let release: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (release = resolve));
  let held: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    held = database.run(async (tx) => {
      // The test may take longer than the product allows a transaction to do nothing.
      await database.query('SET LOCAL idle_in_transaction_session_timeout = 0', [], tx);
      await database.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [id], tx);
      resolve();
      await end;
    });
    held.catch(reject);
  });
  return () => {
    release();
    return held;
  };
}

describe('a tenant whose claims have to wait', () => {
  it('does not delay another tenant, also when such tenants fill all places for claims', async () => {
    const slow: Running[] = [];
    for (let i = 0; i < 5; i++) slow.push(await runningCampaign(1));
    const other = await runningCampaign(7);
    const release = await Promise.all(slow.map(({ userId }) => holding('users', userId)));
    const due = 'UPDATE lead_dials SET due_at = now() WHERE campaign_id = ANY ($1)';
    try {
      await app.query(due, [slow.map(({ campaignId }) => campaignId)]);
      app.app.get(DiallerService, { strict: false }).wake();
      // All places are taken before the other tenant has a lead to call.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await app.query(due, [[other.campaignId]]);
      app.app.get(DiallerService, { strict: false }).wake();
      await until(async () => (await calledOf(other)) === 7);
      for (const tenant of slow) expect(await calledOf(tenant)).toBe(0);
    } finally {
      await Promise.all(release.map((end) => end()));
    }
    for (const tenant of slow) await until(async () => (await calledOf(tenant)) === 1);
  }, 90_000);

  for (const table of ['users', 'campaigns'] as const) {
    it(`does not delay another tenant, and is dialled once the lock is free (${table})`, async () => {
      const slow = await runningCampaign(2);
      const other = await runningCampaign(7);
      const release = await holding(table, table === 'users' ? slow.userId : slow.campaignId);
      try {
        // No lead is due before the row is locked.
        await app.query('UPDATE lead_dials SET due_at = now() WHERE campaign_id IN ($1, $2)', [
          slow.campaignId,
          other.campaignId,
        ]);
        app.app.get(DiallerService, { strict: false }).wake();
        // More than it may call at once, so that it takes several rounds.
        await until(async () => (await calledOf(other)) === 7);
        expect(await calledOf(slow)).toBe(0);
      } finally {
        await release();
      }
      await until(async () => (await calledOf(slow)) === 2);
    }, 90_000);
  }
});
