import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CarrierBreakerService } from '../../src/modules/active-calls/carrier-breaker/carrier-breaker.service.js';
import {
  CallRateLimitsRepository,
  type PaceLimits,
} from '../../src/modules/active-calls/rate-limit/call-rate-limits.repository.js';
import { CallRateLimiter } from '../../src/modules/active-calls/rate-limit/call-rate-limiter.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import type { PlaceCall } from '../../src/providers/telephony/call/call-placing.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addPhoneNumber, createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { operatorTrunk } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';

/** So far apart that it does not matter how long the questions take. */
const STEP_MS = 600_000;
const PATIENT = { ofCarrier: 10 * STEP_MS, ofOwner: 10 * STEP_MS };
const PER_SECOND = 2;

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;

beforeAll(async () => {
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    SANDBOX_SPEED: '1000',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    ACCOUNT_CALLS_PER_SECOND: String(PER_SECOND),
    DATABASE_POOL_SIZE: '16',
  });
  await app.query('UPDATE plans SET max_calls_in_parallel = 50');
}, 60_000);

beforeEach(async () => {
  owner = await app.account({ balanceUsd: 500 });
  other = await app.account({ balanceUsd: 500 });
});

afterEach(async () => {
  jest.restoreAllMocks();
  await app.query('DELETE FROM carrier_paces');
});

afterAll(() => app.stop());

let trunks = 0;
async function trunkOf(account: TestAccount): Promise<number> {
  const { body } = await app
    .as(account)
    .post('/api/user/phone-numbers/sip-trunks')
    .send(operatorTrunk(`+5511300002${String(++trunks).padStart(2, '0')}`, 5_060))
    .expect(201);
  return body.data.id as number;
}

describe('a turn of several limits', () => {
  let paces: CallRateLimitsRepository;
  let carriers = 0;
  let carrier: string;

  beforeEach(() => {
    paces = app.app.get(CallRateLimitsRepository, { strict: false });
    carrier = `paced-${carriers++}`;
  });

  const limitsOf = (account: TestAccount, own: Partial<PaceLimits> = {}): PaceLimits => ({
    carrier: null,
    trunk: null,
    userId: account.userId,
    accountStepMs: null,
    ...own,
  });
  const ofCarrier = (stepMs = STEP_MS) => ({ carrier: { name: carrier, stepMs } });
  const ofTrunk = (id: number) => ({ trunk: { id, stepMs: STEP_MS } });
  const ofAccount = { accountStepMs: STEP_MS };

  /** What came of it, and how many steps away the turn is. */
  async function take(limits: PaceLimits, patience = PATIENT, isLinedUp = false) {
    const { outcome, waitMs } = await paces.acquire(limits, patience, isLinedUp);
    return [outcome, Math.round(waitMs / STEP_MS)];
  }

  it.each(['account', 'trunk'])(
    'is one step after the previous one of its %s, also for parallel requests',
    async (which) => {
      const own = which === 'trunk' ? ofTrunk(await trunkOf(owner)) : ofAccount;
      const turns = await Promise.all(Array.from({ length: 6 }, () => take(limitsOf(owner, own))));
      expect(turns.map(([, steps]) => Number(steps)).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5]);
    },
  );

  it('of another account, or another trunk, does not come later for it', async () => {
    const [first, second] = [await trunkOf(owner), await trunkOf(owner)];
    for (let calls = 0; calls < 3; calls++) await take(limitsOf(owner, ofTrunk(first)));
    expect(await take(limitsOf(owner, ofTrunk(first)))).toEqual(['taken', 3]);
    expect(await take(limitsOf(owner, ofTrunk(second)))).toEqual(['taken', 0]);
    expect(await take(limitsOf(owner, ofAccount))).toEqual(['taken', 0]);
    expect(await take(limitsOf(owner, ofAccount))).toEqual(['taken', 1]);
    expect(await take(limitsOf(other, ofAccount))).toEqual(['taken', 0]);
  });

  it('uses no turn of the carrier while a call waits for its account', async () => {
    const both = (account: TestAccount) => limitsOf(account, { ...ofCarrier(1), ...ofAccount });
    expect(await take(both(owner))).toEqual(['taken', 0]);
    expect(await take(both(owner))).toEqual(['lined-up', 1]);
    expect(await take(both(owner))).toEqual(['lined-up', 2]);
    expect(await take(both(other))).toEqual(['taken', 0]);
  });

  it('leaves the calls of an account a step apart also after they have waited for the carrier', async () => {
    const both = limitsOf(owner, { ...ofCarrier(1), ...ofAccount });
    await take(both);
    // Those that come to the carrier together, having had their turns before.
    expect(await take(both, PATIENT, true)).toEqual(['taken', 1]);
    expect(await take(both, PATIENT, true)).toEqual(['taken', 2]);
    // And turns of a carrier that others have taken are waited for.
    await take(limitsOf(other, ofCarrier(5 * STEP_MS)));
    expect(await take(limitsOf(other, { ...ofCarrier(1), ...ofAccount }))).toEqual(['taken', 7]);
  });

  it('is not taken from anybody where there is no patience for it', async () => {
    const trunk = await trunkOf(owner);
    const all = limitsOf(owner, { ...ofCarrier(), ...ofTrunk(trunk), ...ofAccount });
    await take(all);
    const rows = () =>
      app.query(
        `SELECT (SELECT next_at FROM carrier_paces WHERE carrier = $1) AS carrier,
           (SELECT next_at::text || place_at FROM trunk_paces WHERE trunk_id = $2) AS trunk,
           (SELECT next_at::text || place_at FROM account_paces WHERE user_id = $3) AS account`,
        [carrier, trunk, owner.userId],
      );
    const before = await rows();
    expect(await take(all, { ...PATIENT, ofOwner: 0 })).toEqual(['held', 1]);
    expect(await take(all, { ...PATIENT, ofCarrier: 0 })).toEqual(['crowded', 1]);
    expect(await rows()).toEqual(before);
  });

  it('is counted of all limits for a call that does not wait', async () => {
    const trunk = await trunkOf(owner);
    const all = limitsOf(owner, { ...ofCarrier(), ...ofTrunk(trunk), ...ofAccount });
    for (let calls = 0; calls < 2; calls++)
      expect(await paces.acquire(all, null)).toEqual({ outcome: 'taken', waitMs: 0 });
    expect(await take(limitsOf(owner, ofTrunk(trunk)))).toEqual(['taken', 2]);
    expect(await take(limitsOf(owner, ofAccount))).toEqual(['taken', 2]);
    expect(await take(limitsOf(other, ofCarrier()))).toEqual(['taken', 2]);
  });

  it('is not saved up, and taken also where the trunk is gone', async () => {
    await take(limitsOf(owner, ofAccount));
    const long = "now() - interval '1 day'";
    await app.query(`UPDATE account_paces SET next_at = ${long}, place_at = ${long} WHERE user_id = $1`, [
      owner.userId,
    ]);
    expect(await take(limitsOf(owner, ofAccount))).toEqual(['taken', 0]);
    expect(await take(limitsOf(owner, ofAccount))).toEqual(['taken', 1]);
    expect(await take(limitsOf(owner, ofTrunk(2_000_000_000)))).toEqual(['taken', 0]);
  });

  it('opens no breaker for an account that makes too many calls', async () => {
    const paced = {
      carrier: app.app.get(CallCarrier, { strict: false }),
      userId: owner.userId,
      phoneNumberId: null,
      callsPerSecond: 0.1,
    };
    const pace = app.app.get(CallRateLimiter, { strict: false });
    expect(await pace.acquire(paced)).toBe(true);
    expect(await pace.acquire(paced)).toBe(false);
    expect(await pace.acquire({ ...paced, userId: other.userId })).toBe(true);
    expect(await app.app.get(CarrierBreakerService, { strict: false }).findAllOpen()).toEqual([]);
  });
});

describe('campaigns of accounts with limits of their own', () => {
  const LEADS = 8;
  let campaigns = 0;

  async function campaignOf(account: TestAccount): Promise<{ id: number; from: string }> {
    const assistant = await createOutboundAssistant(app, account);
    await app.as(account).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    const numberId = await addPhoneNumber(app, account);
    const id = await createCampaign(app, account, {
      assistant_id: assistant,
      phone_number_ids: [numberId],
      max_calls_in_parallel: LEADS,
      max_retries: 1,
    });
    await app.query(
      `WITH added AS (
         INSERT INTO leads (user_id, campaign_id, phone_number)
         SELECT $1, $2, '+55119' || lpad(($3 * 1000 + n)::text, 6, '0') || '00' FROM generate_series(1, $4::int) AS n
         RETURNING id)
       INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
      [account.userId, id, ++campaigns, LEADS],
    );
    const [number] = await app.query<{ phone_number: string }>(
      'SELECT phone_number FROM phone_numbers WHERE id = $1',
      [numberId],
    );
    return { id, from: number?.phone_number ?? '' };
  }

  it('calls as many a second as each may, none for the other, and each lead once', async () => {
    await app.query(
      `WITH own AS (INSERT INTO plans (code, name, max_tools, max_api_keys, max_campaigns, max_calls_in_parallel,
           max_knowledgebases, max_calls_per_second) VALUES ('quick', 'Quick', 5, 5, 5, 50, 5, 100) RETURNING id)
       UPDATE users SET plan_id = own.id FROM own WHERE users.id = $1`,
      [other.userId],
    );
    const slow = await campaignOf(owner);
    const quick = await campaignOf(other);
    const carrier = app.app.get(CallCarrier, { strict: false });
    const place = carrier.place.bind(carrier);
    const placed: { readonly from: string; readonly atMs: number }[] = [];
    jest.spyOn(carrier, 'place').mockImplementation((request: PlaceCall) => {
      placed.push({ from: request.from, atMs: performance.now() });
      return place(request);
    });
    const startedAtMs = performance.now();
    for (const [account, { id }] of [
      [owner, slow],
      [other, quick],
    ] as const) {
      await app
        .as(account)
        .post('/api/user/campaigns/update-status')
        .send({ campaign_id: id, action: 'start' })
        .expect(200);
    }
    const isDone = async () => {
      const open = await app.query("SELECT FROM campaigns WHERE id = ANY($1) AND status <> 'completed'", [
        [slow.id, quick.id],
      ]);
      return open.length === 0;
    };
    await until(isDone, 40_000);

    const momentsOf = (from: string) => placed.filter((one) => one.from === from).map(({ atMs }) => atMs);
    const [slowAt, quickAt] = [momentsOf(slow.from), momentsOf(quick.from)];
    expect([slowAt.length, quickAt.length]).toEqual([LEADS, LEADS]);
    // A little less, as timers may fire early; and not much more, as there are leads all the time.
    const early = slowAt.filter((atMs, index) => atMs - startedAtMs < (index * 1_000) / PER_SECOND - 50);
    expect(early).toEqual([]);
    expect((slowAt.at(-1) ?? 0) - (slowAt[0] ?? 0)).toBeLessThan((3 * LEADS * 1_000) / PER_SECOND);
    expect((quickAt.at(-1) ?? 0) - (quickAt[0] ?? 0)).toBeLessThan(3_000);
    const attempts = await app.query<{ number: number; outcome: string }>(
      'SELECT number, outcome FROM dial_attempts WHERE campaign_id = ANY($1)',
      [[slow.id, quick.id]],
    );
    expect(attempts).toEqual(Array.from({ length: 2 * LEADS }, () => ({ number: 1, outcome: 'answered' })));
    expect(
      await app.query('SELECT FROM calls WHERE user_id = ANY($1)', [[owner.userId, other.userId]]),
    ).toHaveLength(2 * LEADS);
    expect(await app.app.get(CarrierBreakerService, { strict: false }).findAllOpen()).toEqual([]);
  }, 60_000);
});
