import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OverloadDetector } from '../../src/modules/voice-workers/overload-detector.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const ROLES = { PROSA_ROLES: 'api,worker,voice', RATE_LIMITS: 'on', TRUST_PROXY: '1' };
const NO_LINE = 4429;

let addresses = 0;
/** An address that no test has used before. */
const newAddress = () => `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;

interface Site {
  readonly owner: TestAccount;
  readonly assistant: CreatedAssistant;
}

class Harness {
  private readonly callers: WebCaller[] = [];

  constructor(readonly app: TestApp) {}

  async site(lines = 10): Promise<Site> {
    const owner = await this.app.account({ balanceUsd: 50 });
    const assistant = await createAssistant(this.app, owner);
    await this.app.query(
      `WITH own AS (INSERT INTO plans SELECT (jsonb_populate_record(plans, jsonb_build_object(
           'id', nextval(pg_get_serial_sequence('plans', 'id')), 'code', 'own-' || $1, 'max_calls_in_parallel', $2::int))).*
         FROM plans ORDER BY id LIMIT 1 RETURNING id)
       UPDATE users SET plan_id = own.id FROM own WHERE users.id = $1::int`,
      [String(owner.userId), lines],
    );
    return { owner, assistant };
  }

  visitor({ assistant }: Site, address = newAddress()) {
    return this.app.http
      .post('/api/web-calls')
      .set('X-Forwarded-For', address)
      .send({ assistant_id: assistant.uuid });
  }

  own({ owner, assistant }: Site) {
    return this.app.as(owner).post(`/api/user/assistant/${assistant.id}/web-call`).send({});
  }

  async visitors(site: Site, count: number): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < count; n++) statuses.push((await this.visitor(site)).status);
    return statuses;
  }

  async owns(site: Site, count: number): Promise<number[]> {
    const statuses = [];
    for (let n = 0; n < count; n++) statuses.push((await this.own(site)).status);
    return statuses;
  }

  async open(site: Site): Promise<OpenedWebCall> {
    return (await this.visitor(site).expect(201)).body as OpenedWebCall;
  }

  async connect(opened: OpenedWebCall): Promise<WebCaller> {
    const caller = await WebCaller.connect(opened);
    this.callers.push(caller);
    return caller;
  }

  /** As if so many seconds had passed for the calls that wait for their browser. */
  async pass(seconds: number): Promise<void> {
    await this.app.query(
      `UPDATE active_calls SET line_until = line_until - make_interval(secs => $1), stage_since = stage_since - make_interval(secs => $1)
       WHERE stage = 'waiting'`,
      [seconds],
    );
    await this.app.query('UPDATE web_calls SET expires_at = expires_at - make_interval(secs => $1)', [
      seconds,
    ]);
  }

  async statusOf({ owner }: Site, callId: number): Promise<string> {
    return (await this.app.as(owner).get(`/api/user/calls/${callId}`).expect(200)).body.status;
  }

  async forget(): Promise<void> {
    for (const caller of this.callers.splice(0)) caller.hangUp();
    await this.pass(100);
    await until(async () => {
      const [row] = await this.app.query<{ open: number }>(
        "SELECT count(*)::int AS open FROM active_calls WHERE stage <> 'evaluating'",
      );
      return row?.open === 0;
    }, 20_000);
  }
}

// How busy the machine is must not decide whether there is a line.
beforeAll(() => void jest.spyOn(OverloadDetector.prototype, 'observe').mockReturnValue(false));
afterAll(() => void jest.restoreAllMocks());

describe('the lines of an account whose visitors open calls and do not connect', () => {
  let harness: Harness;
  let site: Site;

  beforeAll(async () => {
    harness = new Harness(await TestApp.start({ ...ROLES, VISITOR_CALLS_PER_ASSISTANT: '100' }));
    // The first requests of a process take seconds.
    const warmUp = await harness.site();
    await harness.visitors(warmUp, 2);
    await harness.owns(warmUp, 2);
    await harness.forget();
  }, 60_000);
  beforeEach(async () => {
    site = await harness.site();
  });
  afterEach(() => harness.forget());
  afterAll(() => harness.app.stop());

  it('are half for visitors and the rest for the owner, at once', async () => {
    expect(await harness.visitors(site, 8)).toEqual([201, 201, 201, 201, 201, 429, 429, 429]);
    expect(await harness.owns(site, 6)).toEqual([201, 201, 201, 201, 201, 422]);
  });

  it('say how to try again when visitors have their share', async () => {
    await harness.visitors(site, 5);
    const { body, headers } = await harness.visitor(site).expect(429);
    expect(body).toEqual({
      status: false,
      error: 'This assistant is on too many calls right now. Try again in a moment',
      retry_after: 30,
    });
    expect(headers['retry-after']).toBe('30');
  });

  it('are free again after ten seconds', async () => {
    await harness.visitors(site, 5);
    await harness.owns(site, 5);
    await sleep(8_000);
    expect((await harness.own(site)).status).toBe(422);
    await sleep(2_500);
    expect(await harness.owns(site, 10)).toEqual(Array.from({ length: 10 }, () => 201));
  }, 40_000);

  it('are one at least for visitors of an account with one line', async () => {
    const small = await harness.site(1);
    expect(await harness.visitors(small, 2)).toEqual([201, 422]);
  });

  it('go to a browser that connects late, while one is free', async () => {
    const opened = await harness.open(site);
    await harness.pass(50);
    const caller = await harness.connect(opened);
    expect(caller.closeCode).toBeNull();
    await until(async () => (await harness.statusOf(site, opened.call_id)) === 'in-progress');
    // The line is taken again: four are left to visitors.
    expect(await harness.visitors(site, 5)).toEqual([201, 201, 201, 201, 429]);
  });

  it('are refused with 4429 to one that connects late while none is free, and its grant stays valid', async () => {
    const opened = await harness.open(site);
    await harness.pass(20);
    await harness.owns(site, 10);
    expect((await harness.connect(opened)).closeCode).toBe(NO_LINE);
    await harness.pass(20);
    expect((await harness.connect(opened)).closeCode).toBeNull();
  });

  it('are refused with 4429 to one that connects late while visitors have their share', async () => {
    const opened = await harness.open(site);
    await harness.pass(20);
    await harness.visitors(site, 5);
    expect((await harness.connect(opened)).closeCode).toBe(NO_LINE);
  });

  it('are not taken by more calls of one address than it may have, however late they connect', async () => {
    const address = newAddress();
    const opened: OpenedWebCall[] = [];
    for (let n = 0; n < 3; n++) {
      opened.push((await harness.visitor(site, address).expect(201)).body as OpenedWebCall);
      await harness.pass(15);
    }
    const codes = [];
    for (const one of opened) codes.push((await harness.connect(one)).closeCode);
    expect(codes).toEqual([null, null, NO_LINE]);
  });

  it('are kept by a browser that connects in time, for as long as the call lasts', async () => {
    const opened = await harness.open(site);
    const caller = await harness.connect(opened);
    await harness.pass(30);
    expect(await harness.visitors(site, 5)).toEqual([201, 201, 201, 201, 429]);
    expect(caller.closeCode).toBeNull();
  });

  it('are taken by no call whose grant has expired, which ends as not answered and costs nothing', async () => {
    const opened = await harness.open(site);
    await harness.pass(61);
    expect((await harness.connect(opened)).closeCode).toBe(4401);
    await harness.pass(10);
    await until(async () => (await harness.statusOf(site, opened.call_id)) === 'no-answer', 20_000);
    const [wallet] = await harness.app.query<Record<string, string>>(
      'SELECT balance_micros, held_micros FROM wallets WHERE user_id = $1',
      [site.owner.userId],
    );
    expect(wallet).toEqual({ balance_micros: '50000000', held_micros: '0' });
  }, 40_000);
});

describe.each([
  ['the installation', { CALLS_MAX_IN_PARALLEL: '6', VISITOR_CALLS_SHARE: '0.34' }],
  ['a voice process', { VOICE_MAX_CALLS: '6', VISITOR_CALLS_SHARE: '0.34' }],
])('the lines of %s', (_what, limits) => {
  let harness: Harness;

  beforeAll(async () => {
    harness = new Harness(await TestApp.start({ ...ROLES, ...limits }));
  });
  afterEach(() => harness.forget());
  afterAll(() => harness.app.stop());

  it('are for the visitors of all accounts together a share, and the rest for owners', async () => {
    const [one, other] = [await harness.site(30), await harness.site(30)];
    const connected = [await harness.open(one), await harness.open(other)];
    expect((await harness.visitor(one)).status).toBe(429);
    for (const opened of connected) expect((await harness.connect(opened)).closeCode).toBeNull();
    expect((await harness.visitor(other)).status).toBe(429);
    for (let n = 0; n < 4; n++) {
      const { body } = await harness.own(n % 2 === 0 ? one : other).expect(201);
      expect((await harness.connect(body.data as OpenedWebCall)).closeCode).toBeNull();
    }
    await harness.own(one).expect(422);
  }, 60_000);
});
