import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CarrierBreakerRepository } from '../../src/modules/active-calls/carrier-breaker/carrier-breaker.repository.js';
import { CallRateLimitsRepository } from '../../src/modules/active-calls/rate-limit/call-rate-limits.repository.js';
import { CallRateLimiter } from '../../src/modules/active-calls/rate-limit/call-rate-limiter.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../src/providers/telephony/call-carrier-error.js';
import { SandboxCarrierServer } from '../../src/providers/telephony/sandbox/sandbox-carrier-server.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addPhoneNumber, createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const SPEED = 200;

let folder: string;
let server: SandboxCarrierServer;
let isUp: boolean;
let port: number;
let app: TestApp;
let owner: TestAccount;
let assistant: number;

async function connect(): Promise<void> {
  server = await SandboxCarrierServer.start({ port, journalPath: join(folder, 'calls.jsonl'), speed: SPEED });
  isUp = true;
}

async function disconnect(): Promise<void> {
  if (isUp) await server.stop();
  isUp = false;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-outage-'));
  port = 0;
  await connect();
  port = Number(new URL(server.url).port);
  app = await TestApp.start({
    PROSA_ROLES: 'api,worker',
    SANDBOX_CARRIER_URL: server.url,
    SANDBOX_SPEED: String(SPEED),
    DATABASE_POOL_SIZE: '16',
  });
  await app.query('UPDATE plans SET max_calls_in_parallel = 50');
}, 60_000);

beforeEach(async () => {
  owner = await app.account({ balanceUsd: 500 });
  assistant = await createOutboundAssistant(app, owner);
  await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await app.stop();
  await disconnect();
  await rm(folder, { recursive: true, force: true });
});

/** A campaign with so many leads who all answer. */
async function campaignOf(leads: number, maxCallsInParallel: number): Promise<number> {
  const id = await createCampaign(app, owner, {
    assistant_id: assistant,
    phone_number_ids: [await addPhoneNumber(app, owner)],
    max_calls_in_parallel: maxCallsInParallel,
    max_retries: 1,
  });
  await app.query(
    `WITH added AS (
       INSERT INTO leads (user_id, campaign_id, phone_number)
       SELECT $1, $2, '+55119' || lpad(($2 * 1000 + n)::text, 6, '0') || '00' FROM generate_series(1, $3::int) AS n
       RETURNING id)
     INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) SELECT id, $1, $2, now() FROM added`,
    [owner.userId, id, leads],
  );
  return id;
}

const start = (id: number) =>
  app
    .as(owner)
    .post('/api/user/campaigns/update-status')
    .send({ campaign_id: id, action: 'start' })
    .expect(200);

const progressOf = async (id: number) =>
  (await app.as(owner).get(`/api/user/campaigns/${id}/progress`).expect(200)).body;

const isPaused = async (id: number) => (await progressOf(id)).dialling_paused !== null;

const isCompleted = async (id: number) => (await progressOf(id)).status === 'completed';

const attemptsOf = (id: number) =>
  app.query<{ lead_id: number; number: number; outcome: string | null }>(
    'SELECT lead_id, number, outcome FROM dial_attempts WHERE campaign_id = $1',
    [id],
  );

/** Every lead was called once, and answered. */
async function expectOneCallEach(id: number, leads: number): Promise<void> {
  const attempts = await attemptsOf(id);
  expect(attempts.filter(({ number, outcome }) => number !== 1 || outcome !== 'answered')).toEqual([]);
  expect(new Set(attempts.map(({ lead_id: lead }) => lead)).size).toBe(leads);
  expect(await app.query('SELECT id FROM calls WHERE campaign_id = $1', [id])).toHaveLength(leads);
}

describe('a carrier that is away', () => {
  it('before a campaign starts costs no lead an attempt, and is shown by every route', async () => {
    await disconnect();
    const id = await campaignOf(8, 4);
    await start(id);
    await until(() => isPaused(id), 20_000);

    const { dialling_paused: paused, leads } = await progressOf(id);
    expect(paused).toEqual({
      reason: 'carrier_unavailable',
      since: expect.any(String),
      retry_at: expect.any(String),
    });
    expect(leads).toMatchObject({ total: 8, reached_max_retries: 0 });
    const ready = await app.http.get('/health/ready').expect(200);
    expect(ready.body.details.carrier).toMatchObject({ status: 'up', degraded: true, reason: 'unavailable' });
    const metrics = await app.metrics();
    expect(metrics).toContain('call_carrier_breaker_open{carrier="sandbox",reason="unavailable"} 1');
    // The breaker is half-open for moments in between.
    await until(async () => {
      const refused = await app
        .as(owner)
        .post('/api/user/make_call')
        .send({ phone_number: '+5511980000000', assistant_id: assistant });
      if (refused.status !== 503) return false;
      expect(refused.body).toEqual({ message: expect.stringContaining('operadora') });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      return true;
    });
    await until(async () => (await attemptsOf(id)).length === 0);
    expect(await app.query('SELECT FROM calls WHERE campaign_id = $1', [id])).toEqual([]);
    expect(await app.query('SELECT FROM lead_dials WHERE campaign_id = $1 AND attempts <> 0', [id])).toEqual(
      [],
    );

    await connect();
    await until(() => isCompleted(id), 60_000);
    await expectOneCallEach(id, 8);
  }, 120_000);

  it('for a while in mid-campaign loses no lead and no attempt', async () => {
    const id = await campaignOf(40, 4);
    await start(id);
    await until(async () => (await attemptsOf(id)).length > 6, 20_000);
    await disconnect();
    // Calls that were under way keep their places; only a call that is sent now tells that the carrier is away.
    await app.query('UPDATE campaigns SET max_calls_in_parallel = 12 WHERE id = $1', [id]);
    await until(() => isPaused(id), 30_000);
    await connect();
    // A call that was being sent in that moment is asked for when its attempt's lease is over.
    await app.query("UPDATE dial_attempts SET lease_until = now() WHERE state = 'dialing'");
    await until(() => isCompleted(id), 80_000);
    await expectOneCallEach(id, 40);
  }, 140_000);
});

describe('a carrier that limits calls', () => {
  it('is left alone for as long as it says, and the lead has no attempt less', async () => {
    const id = await campaignOf(1, 1);
    const carrier = app.app.get(CallCarrier, { strict: false });
    const place = carrier.place.bind(carrier);
    const placedAtMs: number[] = [];
    jest.spyOn(carrier, 'place').mockImplementation(async (request) => {
      placedAtMs.push(performance.now());
      if (placedAtMs.length === 1) throw new CallCarrierError('rate-limited', 'no', { retryAfterMs: 4_000 });
      return place(request);
    });
    await start(id);
    const reason = async () => (await progressOf(id)).dialling_paused?.reason;
    await until(async () => (await reason()) === 'carrier_rate_limited', 20_000);
    await until(async () => placedAtMs.length > 1, 20_000);
    const [refusedAtMs = 0, againAtMs = 0] = placedAtMs;
    expect(againAtMs - refusedAtMs).toBeGreaterThan(3_900);
    await until(() => isCompleted(id), 20_000);
    await expectOneCallEach(id, 1);
  }, 80_000);
});

describe('the breaker of a carrier', () => {
  const RULES = { threshold: 3, firstWaitMs: 100_000, maxWaitMs: 250_000 };
  const AWAY = { trouble: 'unavailable', waitMs: null, isProbe: false } as const;
  let breakers: CarrierBreakerRepository;
  let carriers = 0;
  let carrier: string;

  beforeEach(() => {
    breakers = app.app.get(CarrierBreakerRepository, { strict: false });
    carrier = `carrier-${carriers++}`;
  });

  const stateOf = async () => (await breakers.find(carrier)).open?.state ?? 'closed';
  const fail = (failure: Partial<Parameters<CarrierBreakerRepository['recordFailure']>[1]> = {}) =>
    breakers.recordFailure(carrier, { ...AWAY, ...failure }, RULES);

  it('opens at the third failure in a row, not at the second, and not when one call was taken between', async () => {
    await fail();
    await fail();
    expect(await stateOf()).toBe('closed');
    await breakers.recordSuccess(carrier, false);
    await fail();
    await fail();
    expect(await stateOf()).toBe('closed');
    await fail();
    expect(await stateOf()).toBe('open');
  });

  it('lets one of many try when its time is over, and closes by the success of that one alone', async () => {
    for (let failures = 0; failures < 3; failures++) await fail();
    expect(await breakers.takeProbe(carrier, 1_000)).toBe(false);
    await app.query('UPDATE carrier_breakers SET retry_at = now() WHERE carrier = $1', [carrier]);
    expect(await stateOf()).toBe('half-open');
    const taken = await Promise.all(Array.from({ length: 8 }, () => breakers.takeProbe(carrier, 30_000)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    expect(await stateOf()).toBe('open');
    await breakers.recordSuccess(carrier, false);
    expect(await stateOf()).toBe('open');
    await breakers.recordSuccess(carrier, true);
    expect(await breakers.find(carrier)).toEqual({ failures: 0, open: null });
  });

  it('waits longer after each try in vain, up to its limit, and not for calls sent before it opened', async () => {
    const waitSeconds = async () => ((await breakers.find(carrier)).open?.retryInMs ?? 0) / 1_000;
    for (let failures = 0; failures < 3; failures++) await fail();
    for (const [isProbe, seconds] of [
      [false, 100],
      [true, 200],
      [false, 200],
      [true, 250],
    ] as const) {
      await fail({ isProbe });
      expect(await waitSeconds()).toBeLessThanOrEqual(seconds);
      expect(await waitSeconds()).toBeGreaterThan(seconds - 45);
    }
  });

  it('opens at once when the carrier limits calls, and no other failure shortens that', async () => {
    await fail({ trouble: 'rate-limited', waitMs: 60_000 });
    await fail({ trouble: 'rate-limited', waitMs: 1_000 });
    const { open } = await breakers.find(carrier);
    expect(open).toMatchObject({ state: 'open', reason: 'rate-limited' });
    expect(open?.retryInMs).toBeGreaterThan(50_000);
  });
});

describe('a carrier that takes so many calls a second', () => {
  const PER_SECOND = 2;
  const LEADS = 6;

  it('gives turns at the same distance to all callers, and none after too long a wait', async () => {
    const paces = app.app.get(CallRateLimitsRepository, { strict: false });
    // So far apart that it does not matter how long the questions take.
    const limits = {
      carrier: { name: 'paced', stepMs: 600_000 },
      trunk: null,
      userId: owner.userId,
      accountStepMs: null,
    };
    const take = async (ofCarrier: number) => {
      const { outcome, waitMs } = await paces.acquire(limits, { ofCarrier, ofOwner: 0 });
      return outcome === 'taken' ? waitMs : null;
    };
    const waits = await Promise.all(Array.from({ length: 8 }, () => take(10_000_000)));
    const turns = waits.map((ms) => Math.round((ms ?? Infinity) / 600_000));
    expect(turns.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await take(0)).toBeNull();
    await app.query(`UPDATE carrier_paces SET next_at = now() - interval '10 hours' WHERE carrier = 'paced'`);
    // A pause saves no turns up.
    expect(await take(0)).toBe(0);
    expect(await take(0)).toBeNull();
  });

  it('is asked for no more by campaigns, and every lead is called once', async () => {
    const carrier = app.app.get(CallCarrier, { strict: false });
    const { capabilities } = carrier;
    Object.defineProperty(carrier, 'capabilities', {
      value: { ...capabilities, placementsPerSecond: PER_SECOND },
      configurable: true,
      writable: true,
    });
    const placedAtMs: number[] = [];
    const place = carrier.place.bind(carrier);
    jest.spyOn(carrier, 'place').mockImplementation((request) => {
      placedAtMs.push(performance.now());
      return place(request);
    });
    try {
      const id = await campaignOf(LEADS, LEADS);
      const startedAtMs = performance.now();
      await start(id);
      await until(() => isCompleted(id), 60_000);
      await expectOneCallEach(id, LEADS);
      // A little less, as timers may fire early.
      const early = placedAtMs.filter(
        (atMs, index) => atMs - startedAtMs < (index * 1_000) / PER_SECOND - 50,
      );
      expect({ placed: placedAtMs.length, early }).toEqual({ placed: LEADS, early: [] });
    } finally {
      Object.defineProperty(carrier, 'capabilities', {
        value: capabilities,
        configurable: true,
        writable: true,
      });
    }
  }, 80_000);

  it('is left alone for a moment where too many calls wait for it', async () => {
    const carrier = 'crowded';
    const pace = app.app.get(CallRateLimiter, { strict: false });
    const breakers = app.app.get(CarrierBreakerRepository, { strict: false });
    const crowded = {
      name: carrier,
      capabilities: { ...app.app.get(CallCarrier, { strict: false }).capabilities, placementsPerSecond: 1 },
    };
    await app.query(`INSERT INTO carrier_paces VALUES ($1, now() + interval '11 seconds')`, [carrier]);
    const call = { carrier: crowded, userId: owner.userId, phoneNumberId: null, callsPerSecond: null };
    expect(await pace.acquire(call)).toBe(false);
    expect((await breakers.find(carrier)).open).toMatchObject({ state: 'open', reason: 'rate-limited' });
  });
});
