import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import type { Tx } from '../../src/database/transactions.js';
import { CarrierBreakerRepository } from '../../src/modules/active-calls/carrier-breaker/carrier-breaker.repository.js';
import { DialAttemptsRepository } from '../../src/modules/campaigns/dialler/attempts/dial-attempts.repository.js';
import { DialClaimsRepository } from '../../src/modules/campaigns/dialler/claims/dial-claims.repository.js';
import { WebhookQueueRepository } from '../../src/modules/webhooks/delivery/webhook-queue.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addCall, addRun } from '../support/call-rows.js';
import { createStartableCampaign } from '../support/campaign-builders.js';
import { EARLIER, LATER, withFrozenNow } from '../support/frozen-now.js';

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;
let campaignId: number;

// Without the worker role no other process claims.
beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account({ balanceUsd: 5 });
  other = await app.account();
  campaignId = await createStartableCampaign(app, owner);
  await app.query("UPDATE campaigns SET status = 'in-progress', max_calls_in_parallel = 3 WHERE id = $1", [
    campaignId,
  ]);
}, 60_000);
afterAll(() => app.stop());

describe('a claim of webhooks', () => {
  const LIMITS = { perEndpoint: 4, perHost: 10, perTenant: 10 };
  let urls = 0;

  interface EndpointRow {
    readonly account?: TestAccount;
    readonly host?: string;
    /** SQL of its other columns. */
    readonly set?: string;
    readonly deliveries?: number;
  }

  /** An endpoint that has proven itself, with deliveries that are due. */
  async function addEndpoint(database: Database, row: EndpointRow = {}): Promise<number> {
    const url = `http://${row.host ?? 'a.invalid'}/${urls++}`;
    const [endpoint] = await database.query<{ id: number }>(
      `INSERT INTO webhook_endpoints (user_id, url, url_hash, host, window_started_at, window_attempts)
       VALUES ($1, $2::text, $2::text, $3, now(), 100) RETURNING id`,
      [(row.account ?? owner).userId, url, row.host ?? 'a.invalid'],
    );
    const id = endpoint!.id;
    if (row.set) await database.query(`UPDATE webhook_endpoints SET ${row.set} WHERE id = $1`, [id]);
    await database.query(
      `INSERT INTO webhook_deliveries (user_id, endpoint_id, event_id, kind, subject_id, body, next_attempt_at)
       SELECT $1, $2, n::text, 'inbound', $3 || '#' || n, '{}', now() FROM generate_series(1, $4::int) AS n`,
      [(row.account ?? owner).userId, id, url, row.deliveries ?? 1],
    );
    return id;
  }

  const claim = async (database: Database, tx: Tx, limits: Partial<typeof LIMITS> = {}, limit = 50) =>
    (await new WebhookQueueRepository(database).claimDue(limit, { ...LIMITS, ...limits }, 60_000, tx))
      .deliveries;

  it.each([
    ["status = 'pending'", true],
    ["status = 'delivered'", false],
    ["status = 'failed'", false],
    ['next_attempt_at = now()', true],
    [`next_attempt_at = ${LATER}`, false],
    ['lease_until = now()', true],
    [`lease_until = ${LATER}`, false],
  ])('of a delivery with %s: %p', async (set, isClaimed) => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await addEndpoint(database);
      await database.query(`UPDATE webhook_deliveries SET ${set} WHERE endpoint_id = $1`, [id]);
      const claims = await claim(database, tx);
      expect(claims.map(({ endpointId, attempt }) => [endpointId, attempt])).toEqual(
        isClaimed ? [[id, 1]] : [],
      );
      const [row] = await database.query<{ leased: boolean; attempts: number }>(
        "SELECT lease_until = now() + interval '60 seconds' AS leased, attempts FROM webhook_deliveries",
      );
      if (isClaimed) expect(row).toEqual({ leased: true, attempts: 1 });
      else expect(row?.attempts).toBe(0);
    });
  });

  it.each([
    ['that is switched off', 'disabled_at = now()', 0],
    ['whose breaker is open', `open_until = ${LATER}`, 0],
    ['whose breaker is half-open', 'open_until = now()', 1],
    ['that has proven nothing', 'window_started_at = NULL, window_attempts = 0', 2],
    ['that has proven itself', 'window_attempts = 100', 4],
    ['with one success', 'window_attempts = 1', 3],
    ['with one success and many failures', 'window_attempts = 6, window_failures = 5', 3],
    ['with failures alone', 'window_attempts = 5, window_failures = 5', 2],
    [
      'whose window is just not over',
      "window_started_at = now() - interval '5 minutes' + interval '1 millisecond'",
      4,
    ],
    ['whose window is over', "window_started_at = now() - interval '5 minutes'", 2],
  ])('of an endpoint %s: %#', async (_title, set, places) => {
    await withFrozenNow(app, async (database, tx) => {
      await addEndpoint(database, { set, deliveries: 9 });
      expect(await claim(database, tx)).toHaveLength(places);
      expect(await claim(database, tx)).toHaveLength(0);
      // What is under way ends: as many places are free again.
      await database.query('UPDATE webhook_deliveries SET lease_until = now() WHERE lease_until > now()');
      expect(await claim(database, tx)).toHaveLength(places);
    });
  });

  it.each([
    ['of a host', { perHost: 5 }, { host: 'a.invalid' }],
    ['of an account', { perTenant: 5 }, { host: 'b.invalid' }],
  ])('gives the places %s to its endpoints together, and others theirs', async (_title, limits, { host }) => {
    await withFrozenNow(app, async (database, tx) => {
      const account = host === 'a.invalid' ? other : owner;
      await addEndpoint(database, { deliveries: 9 });
      await addEndpoint(database, { deliveries: 9, host, account });
      const free = await addEndpoint(database, { deliveries: 3, host: 'c.invalid', account: other });
      // Deliveries under way count, also those of other processes.
      expect(await claim(database, tx, limits, 2)).toHaveLength(2);
      const claims = await claim(database, tx, limits);
      const all = await database.query<{ endpoint_id: number }>(
        'SELECT endpoint_id FROM webhook_deliveries WHERE lease_until > now()',
      );
      expect(claims.length).toBe(all.length - 2);
      expect(all.filter((row) => row.endpoint_id !== free)).toHaveLength(5);
      expect(all.filter((row) => row.endpoint_id === free)).toHaveLength(3);
      expect(await claim(database, tx, limits)).toEqual([]);
    });
  });

  it('takes no more than it is asked for, those due longest first, and each account before anyone twice', async () => {
    await withFrozenNow(app, async (database, tx) => {
      const mine = await addEndpoint(database, { deliveries: 3 });
      await database.query(
        `UPDATE webhook_deliveries SET next_attempt_at = now() - event_id::int * interval '1 second' WHERE endpoint_id = $1`,
        [mine],
      );
      await addEndpoint(database, { account: other, host: 'b.invalid' });
      const first = await claim(database, tx, {}, 2);
      expect(first.map(({ userId, eventId }) => [userId, eventId])).toEqual(
        expect.arrayContaining([
          [owner.userId, '3'],
          [other.userId, '1'],
        ]),
      );
      expect(first).toHaveLength(2);
      expect((await claim(database, tx, {}, 1)).map(({ eventId }) => eventId)).toEqual(['2']);
    });
  });

  it('outcome of an older try changes nothing but what was delivered', async () => {
    await withFrozenNow(app, async (database, tx) => {
      await addEndpoint(database);
      const queue = new WebhookQueueRepository(database);
      const [first] = await claim(database, tx);
      await database.query('UPDATE webhook_deliveries SET lease_until = now()');
      const [second] = await claim(database, tx);
      const state = async () =>
        (
          await database.query('SELECT status, failures, lease_until IS NULL AS free FROM webhook_deliveries')
        )[0];
      const held = { status: 'pending', failures: 0, free: false };
      await queue.postpone(first!, 1_000, tx);
      await queue.fail(first!, 'tries_exhausted', tx);
      await queue.release(first!);
      expect(await state()).toEqual(held);
      await queue.release(second!);
      expect(await state()).toEqual({ ...held, free: true });
      await queue.fail(second!, 'tries_exhausted', tx);
      expect(await state()).toEqual({ status: 'failed', failures: 1, free: true });
      await queue.postpone(second!, 1_000, tx);
      await queue.fail(second!, 'tries_exhausted', tx);
      expect(await state()).toEqual({ status: 'failed', failures: 1, free: true });
      await queue.markDelivered(first!, tx);
      expect(await state()).toMatchObject({ status: 'delivered' });
    });
  });

  it.each([
    ["status = 'pending'", true],
    [`next_attempt_at = ${LATER}`, true],
    [`lease_until = ${LATER}`, true],
    ["status = 'delivered'", false],
    ["status = 'failed'", false],
  ])('is to be made, now or later, for a delivery with %s: %p', async (set, isPending) => {
    await withFrozenNow(app, async (database) => {
      await addEndpoint(database);
      await database.query(`UPDATE webhook_deliveries SET ${set}`);
      expect(await new WebhookQueueRepository(database).isAnyPending()).toBe(isPending);
    });
  });

  it.each([
    ['disabled_at = now()', "status = 'pending'", 'failed'],
    ['disabled_at = now()', 'lease_until = now()', 'failed'],
    ['disabled_at = now()', `lease_until = ${LATER}`, 'pending'],
    ['disabled_at = now()', "status = 'delivered'", 'delivered'],
    ['disabled_at = NULL', "status = 'pending'", 'pending'],
  ])('is given up where the endpoint has %s and the delivery %s: %s', async (set, delivery, status) => {
    await withFrozenNow(app, async (database) => {
      await addEndpoint(database, { set });
      await database.query(`UPDATE webhook_deliveries SET ${delivery}`);
      const queue = new WebhookQueueRepository(database);
      expect(await queue.failDisabled(0)).toBe(0);
      expect(await queue.failDisabled(9)).toBe(status === 'failed' ? 1 : 0);
      expect(await database.query('SELECT status FROM webhook_deliveries')).toEqual([{ status }]);
    });
  });
});

describe('a claim of leads', () => {
  let leads = 0;

  async function addLead(database: Database, set = 'due_at = now()', of = campaignId): Promise<number> {
    const [lead] = await database.query<{ id: number }>(
      'INSERT INTO leads (user_id, campaign_id, phone_number) VALUES ($1, $2, $3) RETURNING id',
      [owner.userId, of, `+55119870${String(leads++).padStart(5, '0')}`],
    );
    await database.query(
      'INSERT INTO lead_dials (lead_id, user_id, campaign_id, due_at) VALUES ($1, $2, $3, now())',
      [lead!.id, owner.userId, of],
    );
    await database.query(`UPDATE lead_dials SET ${set} WHERE lead_id = $1`, [lead!.id]);
    return lead!.id;
  }

  /** The lead that was made with the campaign is none of the test. */
  const alone = (work: (database: Database, tx: Tx) => Promise<void>) =>
    withFrozenNow(app, async (database, tx) => {
      await database.query('DELETE FROM leads');
      await work(database, tx);
    });

  async function addAttempt(database: Database, leadId: number, set = "state = 'dialing'"): Promise<string> {
    const callId = await addCall(database, owner.userId, { campaignId, campaignName: 'Renovação' });
    await addRun(database, callId, owner.userId);
    const id = randomUUID();
    await database.query(
      `INSERT INTO dial_attempts (id, user_id, campaign_id, lead_id, call_id, number, from_phone_number,
         to_phone_number, lease_until) VALUES ($1, $2, $3, $4, $5, 1, '+5511900000000', '+5511900000001', now())`,
      [id, owner.userId, campaignId, leadId, callId],
    );
    await database.query(`UPDATE dial_attempts SET ${set} WHERE id = $1`, [id]);
    return id;
  }

  const SETTLED = "state = 'settled', outcome = 'busy', settled_at = now()";

  async function pick(
    database: Database,
    tx: Tx,
    limit = 9,
    except: number[] = [],
  ): Promise<number[] | null> {
    const claims = new DialClaimsRepository(database);
    const campaign = await claims.lockOpen(campaignId, null, tx);
    if (!campaign) return null;
    return (await claims.pickDue(campaign, null, limit, except, tx)).map(({ leadId }) => leadId);
  }

  const free = async (database: Database, perCampaign = 9) => {
    const dialling = await new DialClaimsRepository(database).dialling(null, perCampaign);
    return dialling.find((campaign) => campaign.campaignId === campaignId)?.free ?? null;
  };

  it.each([
    ['due_at = now()', true],
    [`due_at = ${LATER}`, false],
    ['due_at = NULL', false],
    ["state = 'calling'", false],
    ["state = 'done'", false],
  ])('with %s: %p', async (set, isClaimed) => {
    await alone(async (database, tx) => {
      const lead = await addLead(database, set);
      expect(await free(database)).toBe(isClaimed ? 1 : 0);
      expect(await pick(database, tx)).toEqual(isClaimed ? [lead] : []);
      expect(await pick(database, tx, 9, [lead])).toEqual([]);
      expect(await pick(database, tx, 0)).toEqual([]);
    });
  });

  it.each([
    ["UPDATE campaigns SET status = 'in-progress' WHERE id = $1", true],
    ["UPDATE campaigns SET status = 'stopped' WHERE id = $1", false],
    ["UPDATE campaigns SET status = 'completed' WHERE id = $1", false],
    [
      "UPDATE assistants SET status = 'inactive' WHERE id = (SELECT assistant_id FROM campaigns WHERE id = $1)",
      false,
    ],
    [
      `UPDATE campaigns SET allowed_days = array_remove(allowed_days, trim(to_char(now() AT TIME ZONE timezone, 'day')))
       WHERE id = $1`,
      false,
    ],
  ])('after %s: %p', async (change, isClaimed) => {
    await alone(async (database, tx) => {
      const lead = await addLead(database);
      await database.query(change, [campaignId]);
      expect(await free(database)).toBe(isClaimed ? 1 : null);
      expect(await pick(database, tx)).toEqual(isClaimed ? [lead] : null);
    });
  });

  it('takes those of its campaign alone, the ones due longest first, as many as are asked for and have room', async () => {
    const another = await createStartableCampaign(app, owner);
    await alone(async (database, tx) => {
      await addLead(database, 'due_at = now()', another);
      const last = await addLead(database);
      const first = await addLead(database, `due_at = ${EARLIER}`);
      const next = await addLead(database);
      await addLead(database);
      expect(await pick(database, tx)).toEqual([first, last, next]);
      expect(await pick(database, tx, 2)).toEqual([first, last]);
      expect(await free(database)).toBe(3);
      expect(await free(database, 2)).toBe(2);
    });
  });

  it.each([
    ["now() - interval '59 seconds'", 3],
    ['now()', 3],
    ["now() + interval '200 milliseconds'", 3],
    ["now() + interval '201 milliseconds'", 2],
    ["now() + interval '1200 milliseconds'", 1],
    ["now() + interval '1201 milliseconds'", 0],
    // The limit may have been lifted by now.
    ["now() - interval '1 minute'", 5],
  ])(
    'of an account of two calls a second, the next of which has its turn at %s: %i',
    async (nextAt, turns) => {
      await alone(async (database) => {
        await database.query('UPDATE campaigns SET max_calls_in_parallel = 9 WHERE id = $1', [campaignId]);
        for (let leads = 0; leads < 5; leads++) await addLead(database);
        const add = (userId: number, at: string) =>
          database.query(
            `INSERT INTO account_paces (user_id, next_at, place_at, step_ms) VALUES ($1, ${at}, now(), 500)`,
            [userId],
          );
        await add(other.userId, LATER);
        expect(await free(database)).toBe(5);
        await add(owner.userId, nextAt);
        expect(await free(database)).toBe(turns);
      });
    },
  );

  it.each([
    ['an attempt that is dialled', "state = 'dialing'", 'waiting', 2],
    ['one that talks', "state = 'in-call'", 'open', 2],
    ['the work after a call', "state = 'in-call'", 'evaluating', 3],
    ['an attempt that is settled', SETTLED, 'open', 3],
  ])('of three lines, next to %s, has room for others: %#', async (_title, set, stage, room) => {
    await alone(async (database, tx) => {
      const busy = await addLead(database, "state = 'calling'");
      await addAttempt(database, busy, set);
      await database.query('UPDATE active_calls SET stage = $1', [stage]);
      for (let more = 0; more < 4; more++) await addLead(database);
      expect(await free(database)).toBe(room);
      expect(await pick(database, tx)).toHaveLength(room);
    });
  });

  it('leaves a lead with a live attempt alone, and counts the others', async () => {
    await alone(async (database, tx) => {
      const [busy, idle] = [await addLead(database), await addLead(database)];
      await addAttempt(database, busy);
      const attempts = [];
      for (const leadId of [busy, idle]) {
        const callId = await addCall(database, owner.userId);
        attempts.push({
          id: randomUUID(),
          leadId,
          callId,
          number: 2,
          from: '+551130000000',
          to: '+551130000001',
        });
      }
      const claims = new DialClaimsRepository(database);
      const added = await claims.addAttempts(
        attempts,
        { userId: owner.userId, campaignId, leaseMs: 5_000 },
        tx,
      );
      expect(added).toBe(1);
      expect(
        await database.query('SELECT lead_id, state, attempts FROM lead_dials ORDER BY lead_id'),
      ).toEqual([
        { lead_id: busy, state: 'waiting', attempts: 0 },
        { lead_id: idle, state: 'calling', attempts: 2 },
      ]);
      const leases = await database.query(
        "SELECT lead_id FROM dial_attempts WHERE lease_until = now() + interval '5 seconds'",
      );
      expect(leases).toEqual([{ lead_id: idle }]);
    });
  });

  describe('once it is an attempt', () => {
    it.each([
      [`state = 'dialing', lease_until = ${EARLIER}`, true],
      ["state = 'dialing', lease_until = now()", false],
      [`state = 'in-call', lease_until = ${EARLIER}`, false],
      [`lease_until = ${EARLIER}, ${SETTLED}`, false],
      [`state = 'dialing', lease_until = ${EARLIER}, call_id = NULL`, false],
    ])('is overdue with %s: %p', async (set, isOverdue) => {
      await alone(async (database) => {
        const id = await addAttempt(database, await addLead(database), set);
        const found = await new DialAttemptsRepository(database).findOverdue(9);
        expect(found.map((attempt) => attempt.id)).toEqual(isOverdue ? [id] : []);
      });
    });

    it.each([
      ["state = 'dialing'", 'completed', true],
      ["state = 'dialing'", 'busy', true],
      ["state = 'dialing'", 'no-answer', true],
      ["state = 'dialing'", 'failed', true],
      ["state = 'dialing'", 'initiated', false],
      ["state = 'in-call'", 'failed', true],
      ["state = 'in-call'", 'ended', false],
      ["state = 'in-call'", 'in-progress', false],
      [SETTLED, 'completed', false],
    ])('with %s and a call that is %s waits to be settled: %p', async (set, status, isEnded) => {
      await alone(async (database) => {
        await addAttempt(database, await addLead(database), set);
        await database.query('UPDATE calls SET status = $1', [status]);
        expect(await new DialAttemptsRepository(database).findEndedCalls(9)).toHaveLength(isEnded ? 1 : 0);
      });
    });

    it.each([
      ['waiting', true],
      ['placing', true],
      // The carrier has the call, and the session of the call settles the attempt.
      ['open', false],
      ['evaluating', false],
    ])('is overdue with a call that is %s: %p', async (stage, isOverdue) => {
      await alone(async (database) => {
        await addAttempt(database, await addLead(database), `state = 'dialing', lease_until = ${EARLIER}`);
        await database.query('UPDATE active_calls SET stage = $1', [stage]);
        expect(await new DialAttemptsRepository(database).findOverdue(9)).toHaveLength(isOverdue ? 1 : 0);
      });
    });

    it.each([
      ["state = 'dialing'", true],
      // The campaign was deleted after its lead had been moved to another one.
      ['campaign_id = NULL', true],
      ['campaign_id = NULL, lead_id = NULL', false],
    ])('with %s is settled by the rules of the campaign that its lead is in: %p', async (set, hasRules) => {
      await alone(async (database) => {
        await addAttempt(database, await addLead(database), set);
        const [call] = await database.query<{ id: number }>('SELECT call_id AS id FROM dial_attempts');
        const [live] = await new DialAttemptsRepository(database).findLive([call!.id]);
        expect(live?.campaign?.id).toBe(hasRules ? campaignId : undefined);
      });
    });

    it('is parted from its campaign once it is settled, as many as are asked for', async () => {
      await alone(async (database) => {
        const live = await addAttempt(database, await addLead(database));
        for (const at of [1, 2, 3])
          await addAttempt(database, await addLead(database), `${SETTLED}, number = ${at}`);
        const attempts = new DialAttemptsRepository(database);
        expect(await attempts.detachSettled(owner.userId + 1, campaignId, 2)).toBe(false);
        expect(await attempts.detachSettled(owner.userId, campaignId, 2)).toBe(true);
        expect(await attempts.detachSettled(owner.userId, campaignId, 2)).toBe(false);
        expect(await database.query('SELECT id FROM dial_attempts WHERE campaign_id IS NOT NULL')).toEqual([
          { id: live },
        ]);
      });
    });

    it('is settled once, and its lead moves on with it', async () => {
      await alone(async (database) => {
        const leads = [];
        const settlements = [];
        for (const step of ['retry', 'completed', 'give-up', 'unclear', null] as const) {
          const lead = await addLead(database, "state = 'calling', attempts = 1");
          const attemptId = await addAttempt(database, lead);
          leads.push(lead);
          settlements.push({
            attemptId,
            outcome: 'busy' as const,
            step,
            waitMs: step === 'retry' ? 5_000 : null,
          });
        }
        const attempts = new DialAttemptsRepository(database);
        const ids = new Set(settlements.map(({ attemptId }) => attemptId));
        expect(await attempts.settle(settlements)).toEqual(ids);
        // A second settlement changes nothing.
        expect(await attempts.settle(settlements.map((one) => ({ ...one, step: 'unclear' })))).toEqual(
          new Set(),
        );
        const moved = await database.query(
          `SELECT d.state, d.due_at = now() + interval '5 seconds' AS "isRetry", l.status
           FROM lead_dials d JOIN leads l ON l.id = d.lead_id WHERE l.id = ANY($1) ORDER BY l.id`,
          [leads],
        );
        expect(moved).toEqual([
          { state: 'waiting', isRetry: true, status: 'created' },
          { state: 'done', isRetry: false, status: 'completed' },
          { state: 'done', isRetry: false, status: 'reached-max-retries' },
          { state: 'done', isRetry: false, status: 'reached-max-retries' },
          { state: 'calling', isRetry: false, status: 'created' },
        ]);
      });
    });

    it.each([
      ["state = 'dialing'", true, true],
      ["state = 'in-call'", false, true],
      [SETTLED, false, false],
    ])('with %s can be withdrawn: %p, and is live: %p', async (set, isWithdrawn, isLive) => {
      await alone(async (database, tx) => {
        const id = await addAttempt(
          database,
          await addLead(database, "state = 'calling', attempts = 1"),
          set,
        );
        const attempts = new DialAttemptsRepository(database);
        const [call] = await database.query<{ id: number }>('SELECT call_id AS id FROM dial_attempts');
        expect((await attempts.lockLive(call!.id, tx)) !== null).toBe(isLive);
        expect(await attempts.isSending(id)).toBe(isWithdrawn);
        await attempts.withdraw(id, tx);
        expect(await database.query('SELECT state, attempts FROM lead_dials')).toEqual([
          isWithdrawn ? { state: 'waiting', attempts: 0 } : { state: 'calling', attempts: 1 },
        ]);
        expect(await database.query('SELECT FROM dial_attempts')).toHaveLength(isWithdrawn ? 0 : 1);
      });
    });
  });

  it.each([
    ["state = 'done'", "status = 'in-progress'", true],
    ["state = 'waiting'", "status = 'in-progress'", false],
    ["state = 'calling'", "status = 'in-progress'", false],
    ["state = 'done'", "status = 'stopped'", false],
    ["state = 'done'", 'mark_complete_when_no_leads = false', false],
  ])('leaves a campaign with a lead of %s and %s exhausted: %p', async (lead, campaign, isExhausted) => {
    await alone(async (database) => {
      await addLead(database, lead);
      await database.query(`UPDATE campaigns SET ${campaign} WHERE id = $1`, [campaignId]);
      const found = await new DialAttemptsRepository(database).findExhausted(99);
      expect(found.some(({ id }) => id === campaignId)).toBe(isExhausted);
    });
  });
});

describe('the only try of an open breaker', () => {
  it.each([
    ['now()', true],
    [LATER, false],
    ['NULL', false],
  ])('with retry_at = %s may be made: %p', async (retryAt, isTaken) => {
    await withFrozenNow(app, async (database) => {
      await database.query(
        `INSERT INTO carrier_breakers (carrier, failures, reason, opened_at, retry_at)
         VALUES ('a', 3, 'unavailable', ${retryAt}, ${retryAt})`,
      );
      const breakers = new CarrierBreakerRepository(database);
      expect(await breakers.takeProbe('b', 1_000)).toBe(false);
      expect(await breakers.takeProbe('a', 1_000)).toBe(isTaken);
      expect(await breakers.takeProbe('a', 1_000)).toBe(false);
    });
  });
});
