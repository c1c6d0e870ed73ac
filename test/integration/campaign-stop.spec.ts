import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { CallRateLimiter } from '../../src/modules/active-calls/rate-limit/call-rate-limiter.js';
import { CallStopsService } from '../../src/modules/call-sessions/ends/call-stops.service.js';
import { CampaignLifecycleService } from '../../src/modules/campaigns/campaign-lifecycle.service.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { JobsService } from '../../src/queues/jobs.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createLead, createStartableCampaign } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const CALLS = 40;
const HANG_UP_MS = 300;

let app: TestApp;
let owner: TestAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-stop-'));
  // Slow, so that all calls still ring when the campaign is stopped.
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    SANDBOX_SPEED: '1',
    DATA_DIR: dataDir,
    DATABASE_POOL_SIZE: '16',
  });
  await app.query('UPDATE plans SET max_calls_in_parallel = 100');
}, 60_000);

beforeEach(async () => {
  owner = await app.account({ balanceUsd: 5_000 });
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const openCalls = (campaignId: number) =>
  app.query(
    `SELECT FROM active_calls r JOIN calls c ON c.id = r.call_id WHERE c.campaign_id = $1 AND r.stage <> 'evaluating'`,
    [campaignId],
  );

const switchTo = (id: number, action: 'start' | 'stop') =>
  app.as(owner).post('/api/user/campaigns/update-status').send({ campaign_id: id, action }).expect(200);

/** A campaign whose calls all ring. */
async function ringing(calls: number): Promise<number> {
  const id = await createStartableCampaign(app, owner);
  await app.query('UPDATE campaigns SET max_calls_in_parallel = 100 WHERE id = $1', [id]);
  await app.query('DELETE FROM leads WHERE campaign_id = $1', [id]);
  await app.query(
    `WITH added AS (
       INSERT INTO leads (user_id, campaign_id, phone_number)
       SELECT $1, $2, '+55119' || lpad(($2 * 1000 + n)::text, 6, '0') || '02' FROM generate_series(1, $3::int) AS n
       RETURNING id)
     INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
    [owner.userId, id, calls],
  );
  await switchTo(id, 'start');
  await until(
    async () =>
      (
        await app.query(
          "SELECT FROM active_calls r JOIN calls c ON c.id = r.call_id WHERE c.campaign_id = $1 AND r.stage = 'open'",
          [id],
        )
      ).length === calls,
    40_000,
  );
  return id;
}

/** A carrier that takes its time to hang up. */
function hangsUpSlowly() {
  const carrier = app.app.get(CallCarrier, { strict: false });
  const hangUp = carrier.hangUp.bind(carrier);
  const load = { now: 0, most: 0 };
  jest.spyOn(carrier, 'hangUp').mockImplementation(async (callId) => {
    load.most = Math.max(load.most, ++load.now);
    await sleep(HANG_UP_MS);
    load.now--;
    await hangUp(callId);
  });
  return load;
}

describe('stopping a campaign', () => {
  it('answers before its calls are hung up, and hangs up several at a time', async () => {
    const id = await ringing(CALLS);
    const load = hangsUpSlowly();
    const stops = app.app.get(CallStopsService, { strict: false });
    const ending = jest.spyOn(stops, 'endRequested');
    await switchTo(id, 'stop');
    expect((await openCalls(id)).length).toBeGreaterThan(CALLS / 2);
    await until(async () => (await openCalls(id)).length === 0, 30_000);
    expect(ending).toHaveBeenCalled();
    expect(load.most).toBeGreaterThan(4);
    expect(load.most).toBeLessThanOrEqual(32);
  }, 90_000);

  it('ends its calls by a sweep when the job is lost, and none of those of a start that came after it', async () => {
    const id = await ringing(4);
    const jobs = jest.spyOn(app.app.get(JobsService), 'wake').mockReturnValue(undefined);
    const stops = app.app.get(CallStopsService, { strict: false });
    const ending = jest.spyOn(stops, 'endRequested').mockResolvedValue(undefined);
    await switchTo(id, 'stop');
    expect(await openCalls(id)).toHaveLength(4);
    await createLead(app, owner, id, { phone_number: '+5511981234502' });
    jobs.mockRestore();
    await switchTo(id, 'start');
    await until(async () => (await openCalls(id)).length === 5, 20_000);

    ending.mockRestore();
    await stops.endRequested();
    await until(async () => (await openCalls(id)).length === 1, 20_000);
    await switchTo(id, 'stop');
    await until(async () => (await openCalls(id)).length === 0, 20_000);
  }, 90_000);
});

/** A started campaign whose only call waits for its turn until the returned function is called. */
async function waitingForTurn(
  change: (id: number) => Promise<unknown> = async () => undefined,
): Promise<{ id: number; release: () => void }> {
  const id = await createStartableCampaign(app, owner);
  await change(id);
  let release = (): void => undefined;
  const turn = new Promise<boolean>((resolve) => {
    release = () => resolve(true);
  });
  const asked = jest
    .spyOn(app.app.get(CallRateLimiter, { strict: false }), 'acquire')
    .mockImplementation(() => turn);
  await switchTo(id, 'start');
  await until(async () => asked.mock.calls.length > 0, 20_000);
  return { id, release };
}

/** The lead waits as if it had not been called. */
async function expectUntouched(id: number): Promise<void> {
  await until(async () => (await openCalls(id)).length === 0, 20_000);
  expect(await app.query('SELECT state, attempts FROM lead_dials WHERE campaign_id = $1', [id])).toEqual([
    { state: 'waiting', attempts: 0 },
  ]);
  expect(await app.query('SELECT FROM dial_attempts WHERE campaign_id = $1', [id])).toEqual([]);
  expect(await app.query('SELECT FROM calls WHERE user_id = $1', [owner.userId])).toEqual([]);
}

describe('a call that waits for its turn', () => {
  it('costs its lead no attempt when the campaign is stopped', async () => {
    const { id, release } = await waitingForTurn();
    await switchTo(id, 'stop');
    await app.app.get(CallStopsService, { strict: false }).endRequested();
    release();
    await expectUntouched(id);
  }, 60_000);

  it('is not made after the hours of the campaign, and its lead waits for the next ones', async () => {
    const carrier = jest.spyOn(app.app.get(CallCarrier, { strict: false }), 'place');
    await app.query("UPDATE users SET timezone = 'Etc/GMT' WHERE id = $1", [owner.userId]);
    const { id, release } = await waitingForTurn((campaign) =>
      app.query(
        `UPDATE campaigns SET allowed_hours_end_time = (now() AT TIME ZONE 'UTC' + interval '3 seconds')::time
         WHERE id = $1`,
        [campaign],
      ),
    );
    await sleep(3_500);
    release();
    await expectUntouched(id);
    expect(carrier).not.toHaveBeenCalled();
  }, 60_000);

  it('is an attempt when it is hung up while the campaign goes on', async () => {
    const { id, release } = await waitingForTurn();
    const [call] = await app.query<{ id: number }>('SELECT id FROM calls WHERE campaign_id = $1', [id]);
    await app.as(owner).post(`/api/user/calls/${call?.id}/hangup`).expect(200);
    await app.app.get(CallStopsService, { strict: false }).endRequested();
    release();
    await until(async () => (await openCalls(id)).length === 0, 20_000);
    const outcomes = (): Promise<{ outcome: string | null }[]> =>
      app.query('SELECT outcome FROM dial_attempts WHERE campaign_id = $1', [id]);
    // The attempt is settled after its call has ended.
    await until(async () => (await outcomes()).every(({ outcome }) => outcome !== null), 20_000);
    expect(await outcomes()).toEqual([{ outcome: 'failed' }]);
  }, 60_000);
});

describe('a lead that is added while its campaign completes', () => {
  it('keeps the campaign running', async () => {
    const id = await createStartableCampaign(app, owner);
    await app.query("UPDATE lead_dials SET state = 'done' WHERE campaign_id = $1", [id]);
    await app.query(
      "UPDATE campaigns SET status = 'in-progress', allowed_days = ARRAY['monday'] WHERE id = $1",
      [id],
    );
    const database = app.app.get(Database);
    let completed: Promise<void> = Promise.resolve();
    await app.app.get(Transactions).run(async (tx) => {
      const [lead] = await database.query<{ id: number }>(
        "INSERT INTO leads (user_id, campaign_id, phone_number) VALUES ($1, $2, '+5511980000777') RETURNING id",
        [owner.userId, id],
        tx,
      );
      await database.query(
        "INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) VALUES ($1, $2, $3, now() + interval '1 hour')",
        [lead?.id, owner.userId, id],
        tx,
      );
      completed = app.app.get(CampaignLifecycleService, { strict: false }).completeIfDone(owner.userId, id);
      // It has found no open lead, and would have completed the campaign by now.
      await Promise.race([completed, sleep(1_000)]);
    });
    await completed;
    expect(await app.query('SELECT status FROM campaigns WHERE id = $1', [id])).toEqual([
      { status: 'in-progress' },
    ]);
  }, 40_000);
});
