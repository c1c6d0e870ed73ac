import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { Transactions, type Tx } from '../../src/database/transactions.js';
import { ParallelCallsLimitError } from '../../src/modules/calls/calls.errors.js';
import { CallCapacityService } from '../../src/modules/active-calls/capacity/call-capacity.service.js';
import { ConcurrencySlotsRepository } from '../../src/modules/active-calls/concurrency-slots.repository.js';
import { SecondLegsService } from '../../src/modules/call-sessions/second-legs.service.js';
import {
  DialClaimsRepository,
  type OpenCampaign,
} from '../../src/modules/campaigns/dialler/claims/dial-claims.repository.js';
import { SipTrunksRepository } from '../../src/modules/phone-numbers/sip-trunks.repository.js';
import { CallCarrier } from '../../src/providers/telephony/call-carrier.js';
import { addCall, addRun } from '../support/call-rows.js';
import { extensionBody } from '../support/belongings.js';
import { createAssistant, createSipTrunk } from '../support/builders.js';
import { createCampaign, createLead, phoneNumber } from '../support/campaign-builders.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { withFrozenNow } from '../support/frozen-now.js';

describe('the calls at the same time of a SIP trunk', () => {
  let app: TestApp;
  let owner: TestAccount;
  let stranger: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 100 });
    stranger = await app.account({ balanceUsd: 100 });
  }, 60_000);
  beforeEach(() => app.query('DELETE FROM active_calls'));
  afterAll(() => app.stop());

  let numbers = 0;
  const trunk = (limit: number | null) =>
    createSipTrunk(app, owner, {
      phone_number: `+5511300001${String(++numbers).padStart(2, '0')}`,
      max_parallel_calls: limit,
    });

  const admit = (trunkIds: readonly (number | null)[]) =>
    app.app.get(Transactions).run((tx) =>
      app.app.get(CallCapacityService, { strict: false }).admit(
        owner.userId,
        trunkIds.map((trunkId) => ({ trunkId })),
        tx,
      ),
    );

  it('admits as many as it has room for, in their order, and those of other trunks and of none', async () => {
    const [narrow, wide] = [await trunk(2), await trunk(null)];
    const { admitted, shortage } = await admit([narrow, wide, narrow, narrow, null, wide]);
    expect(admitted.map(({ trunkId }) => trunkId)).toEqual([narrow, wide, narrow, null, wide]);
    expect(shortage).toBeInstanceOf(ParallelCallsLimitError);
    expect(shortage).toMatchObject({ scope: 'trunk' });
    expect((await admit([narrow, narrow])).shortage).toBeNull();
  });

  it.each([
    ["stage = 'waiting'", 1],
    ["stage = 'placing'", 1],
    ["stage = 'open'", 1],
    ["stage = 'evaluating'", 0],
    ['second_leg_number_id = phone_number_id', 2],
    ['second_leg_number_id = phone_number_id, phone_number_id = NULL', 1],
    ["second_leg_number_id = phone_number_id, stage = 'evaluating'", 0],
    ['phone_number_id = NULL', 0],
    ['phone_number_id = phone_number_id + 1', 0],
  ])('counts a call with %s: %i', async (set, count) => {
    const id = await trunk(3);
    await withFrozenNow(app, async (database, tx) => {
      const callId = await addCall(database, owner.userId, {});
      await addRun(database, callId, owner.userId);
      await database.query('UPDATE active_calls SET phone_number_id = $1 WHERE call_id = $2', [id, callId]);
      await database.query(`UPDATE active_calls SET ${set} WHERE call_id = $1`, [callId]);
      const lines = new ConcurrencySlotsRepository(database);
      expect((await lines.countByNumber(owner.userId, [id], tx)).get(id) ?? 0).toBe(count);
      expect((await lines.countByNumber(stranger.userId, [id], tx)).get(id) ?? 0).toBe(0);
      expect((await lines.countByNumber(owner.userId, [], tx)).size).toBe(0);
    });
  });

  describe('and second legs of transfers', () => {
    /** So slow that it does not matter how long a statement takes. */
    const ONE_IN_1000_S = 0.001;
    const CUSTOMER = '+5511987650001';
    const OWN = '+5511987650002';
    const OF_ANOTHER = '+5511987650003';
    const VERIFIED = '+5511987650004';
    const VERIFIED_BY_ANOTHER = '+5511987650005';
    const TYPED = '+5511987650006';
    const LEG = { key: 'leg', to: '1001', ringingTimeoutMs: 30_000 };
    let id: number;

    beforeEach(async () => {
      id = await trunk(1);
      await app.query('DELETE FROM carrier_paces');
      await app.query("DELETE FROM phone_numbers WHERE type IN ('normal', 'caller_id')");
    });

    /** Room for a leg of a call that this process monitors, by a carrier that takes so many calls a second. */
    async function leg(placementsPerSecond: number | null = null, numberId = id, isSharedByAccounts = false) {
      const database = app.app.get(Database);
      const { capabilities } = app.app.get(CallCarrier, { strict: false });
      const lease = { callId: await addCall(database, owner.userId, {}), token: randomUUID() };
      await addRun(database, lease.callId, owner.userId, `stage = 'open', lease_token = '${lease.token}'`);
      const carrier = {
        name: 'paced',
        isSharedByAccounts,
        capabilities: { ...capabilities, placementsPerSecond },
      };
      const room = app.app
        .get(SecondLegsService, { strict: false })
        .roomFor(
          { userId: owner.userId, customer: CUSTOMER, callsPerSecond: null, lease },
          { id: numberId, carrier },
        );
      return {
        take: (from = OWN, to = LEG.to) => room.take({ ...LEG, from, to }),
        free: () => room.free(),
        ...lease,
      };
    }

    it("refuses those to a premium number, unless the trunk or the carrier is the account's own", async () => {
      const shared = await leg(null, id, true);
      for (const to of ['+19005550123', '+881612345678'])
        await expect(shared.take(OWN, to)).rejects.toMatchObject({ code: 'rejected', sent: 'no' });
      await shared.take(OWN, '+12125550150');
      await shared.free();
      const own = await leg();
      await own.take(OWN, '+19005550123');
    });

    it('keeps them from being placed beyond it, until one of them is over', async () => {
      const [first, second] = [await leg(), await leg()];
      await first.take();
      await expect(second.take()).rejects.toMatchObject({
        name: 'CallCarrierError',
        code: 'rejected',
        sent: 'no',
      });
      expect((await admit([id])).shortage).toMatchObject({ scope: 'trunk' });
      await first.free();
      await second.take();
      await expect(first.take()).rejects.toMatchObject({ code: 'rejected' });
    });

    it('leaves those alone of a call that another process has by now, and takes no room for it', async () => {
      const lost = await leg();
      await lost.take();
      await app.query('UPDATE active_calls SET lease_token = $1 WHERE call_id = $2', [
        randomUUID(),
        lost.callId,
      ]);
      await lost.free();
      expect((await admit([id])).shortage).toMatchObject({ scope: 'trunk' });
      await app.query('UPDATE active_calls SET second_leg_number_id = NULL');
      await expect(lost.take()).rejects.toMatchObject({ code: 'unavailable', sent: 'no' });
      expect((await admit([id])).shortage).toBeNull();
    });

    it.each([
      ['own', OWN, true],
      ['own', '(11) 98765-0002', true],
      ["customer's", CUSTOMER, true],
      ['verified', VERIFIED, true],
      ["another account's", OF_ANOTHER, false],
      ["another account's verified", VERIFIED_BY_ANOTHER, false],
      ['typed', TYPED, false],
      ['any', '+5511999990000', false],
    ])('lets %s number be shown by a carrier that accounts share: %p', async (_whose, from, isShown) => {
      const rent = (userId: number, phoneNumber: string) =>
        app.query<{ id: number }>(
          `INSERT INTO phone_numbers (user_id, phone_number, country_code, type)
           VALUES ($1, $2, 'BR', 'normal') RETURNING id`,
          [userId, phoneNumber],
        );
      const [rented] = await rent(owner.userId, OWN);
      await rent(stranger.userId, OF_ANOTHER);
      const add = (userId: number, phoneNumber: string, type: string, verifiedBy: string | null) =>
        app.query(
          `INSERT INTO phone_numbers (user_id, phone_number, country_code, type, verified_at, verified_by)
           VALUES ($1, $2, 'BR', $3, CASE WHEN $4::text IS NULL THEN NULL ELSE now() END, $4)`,
          [userId, phoneNumber, type, verifiedBy],
        );
      await add(owner.userId, VERIFIED, 'caller_id', 'sandbox');
      await add(stranger.userId, VERIFIED_BY_ANOTHER, 'caller_id', 'sandbox');
      // The number of a trunk is what its owner writes there.
      await add(owner.userId, TYPED, 'sip', null);
      const shared = await leg(null, rented?.id);
      if (isShown) await shared.take(from);
      else await expect(shared.take(from)).rejects.toMatchObject({ code: 'rejected', sent: 'no' });
      // Its own operator knows what it lets through.
      await (await leg()).take(from);
    });

    it('counts them among the calls a second that the carrier takes, without their waiting for others', async () => {
      const nextTurnMs = async () => {
        const [row] = await app.query<{ ms: number }>(
          `SELECT (extract(epoch FROM next_at - clock_timestamp()) * 1000)::float8 AS ms FROM carrier_paces
           WHERE carrier = 'paced'`,
        );
        return row?.ms ?? 0;
      };
      const paced = await leg(ONE_IN_1000_S);
      await paced.take();
      expect(await nextTurnMs()).toBeGreaterThan(500_000);
      await paced.free();
      // Further away than a campaign's call would wait for.
      await paced.take();
      expect(await nextTurnMs()).toBeGreaterThan(1_500_000);
    });
  });

  it('keeps a call that comes in from beginning, which is turned away as busy then', async () => {
    const id = await trunk(1);
    const assistant = await createAssistant(app, owner, { type: 'outbound', phone_number_id: id });
    await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber(50), assistant_id: assistant.id })
      .expect(200);
    const capacity = app.app.get(CallCapacityService, { strict: false });
    const begun = { carrier: 'sip', phoneNumberId: id, stage: 'open' } as const;
    const coming = app.app
      .get(Transactions)
      .run((tx) =>
        capacity.take({ call: { id: 0, userId: owner.userId }, assistant: {} as never }, begun, tx),
      );
    await expect(coming).rejects.toMatchObject({ scope: 'trunk' });
  });

  it('is exact for make_call, also for parallel requests, and answered in the shape of the other limits', async () => {
    const id = await trunk(2);
    const assistant = await createAssistant(app, owner, { type: 'outbound', phone_number_id: id });
    const call = (at: number) =>
      app
        .as(owner)
        .post('/api/user/make_call')
        .send({ phone_number: phoneNumber(at), assistant_id: assistant.id });
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(call));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 200, 422, 422, 422, 422,
    ]);
    expect(answers.find(({ status }) => status === 422)?.body).toEqual({
      message:
        'O limite de 2 ligações simultâneas do tronco SIP foi atingido. Tente novamente quando uma terminar',
    });
    expect(await app.query('SELECT FROM active_calls WHERE phone_number_id = $1', [id])).toHaveLength(2);
    // The work after a call takes no line.
    await app.query(
      "UPDATE active_calls SET stage = 'evaluating' WHERE call_id = (SELECT min(call_id) FROM active_calls)",
    );
    await call(7).expect(200);
    await call(8).expect(422);
    await app
      .as(owner)
      .put(`/api/user/phone-numbers/sip-trunks/${id}`)
      .send({ max_parallel_calls: null })
      .expect(200);
    await call(9).expect(200);
  });

  describe('of which a campaign has two', () => {
    const LEADS = 4;
    let narrow: number;
    let wide: number;
    let campaign: OpenCampaign;

    beforeEach(async () => {
      [narrow, wide] = [await trunk(1), await trunk(2)];
      const assistant = await createAssistant(app, owner, { type: 'outbound' });
      await app.as(owner).put(`/api/user/assistant/${assistant.id}`).send({ status: 'active' }).expect(200);
      const id = await createCampaign(app, owner, {
        assistant_id: assistant.id,
        phone_number_ids: [narrow, wide],
        max_calls_in_parallel: 10,
      });
      for (let at = 0; at < LEADS; at++)
        await createLead(app, owner, id, { phone_number: phoneNumber(100 + at) });
      campaign = {
        id,
        userId: owner.userId,
        name: '',
        assistantId: assistant.id,
        maxCallsInParallel: 10,
        maxRetries: 0,
      };
    });

    /** The trunks that those are called by who are due now. */
    async function callers(database: Database, tx: Tx): Promise<string[]> {
      await database.query("UPDATE lead_dials SET state = 'waiting', due_at = now()");
      const numbers = await database.query<{ id: number; number: string }>(
        'SELECT id, phone_number AS number FROM phone_numbers',
      );
      const nameOf = (from: string | null) =>
        numbers.find(({ number }) => number === from)?.id === narrow ? 'narrow' : 'wide';
      const due = await new DialClaimsRepository(database).pickDue(campaign, null, 9, [], tx);
      return due.map(({ from }) => nameOf(from)).toSorted();
    }
    const TURNS = ['narrow', 'narrow', 'wide', 'wide'];
    const all = (name: string) => Array.from({ length: LEADS }, () => name);

    async function openCallBy(database: Database, id: number, stage = 'open', column = 'phone_number_id') {
      const callId = await addCall(database, owner.userId, {});
      await addRun(database, callId, owner.userId);
      await database.query(`UPDATE active_calls SET ${column} = $1, stage = $3 WHERE call_id = $2`, [
        id,
        callId,
        stage,
      ]);
    }

    const setState = (
      database: Database,
      id: number,
      registration: string | null,
      reachable: boolean | null,
    ) =>
      database.query(
        `INSERT INTO sip_trunk_states (trunk_id, user_id, inbound_id, outbound_id, registration, reachable)
         VALUES ($1, $2, 'in', 'out', $3, $4)`,
        [id, owner.userId, registration, reachable],
      );

    it('calls leads by the one that has room, and by the full one where both are full', async () => {
      await withFrozenNow(app, async (database, tx) => {
        await openCallBy(database, narrow, 'evaluating');
        expect(await callers(database, tx)).toEqual(TURNS);
        await openCallBy(database, narrow);
        await openCallBy(database, wide);
        expect(await callers(database, tx)).toEqual(all('wide'));
        await openCallBy(database, wide, 'open', 'second_leg_number_id');
        expect(await callers(database, tx)).toEqual(TURNS);
      });
    });

    it.each<[string | null, boolean | null, boolean]>([
      ['failed', null, true],
      ['failed', true, true],
      [null, false, true],
      [null, true, false],
      [null, null, false],
      ['registering', false, false],
      // Some operators answer no OPTIONS.
      ['registered', false, false],
    ])(
      'that is %s, and of whose server is known %p: is it passed over? %p',
      async (registration, reachable, isOut) => {
        await withFrozenNow(app, async (database, tx) => {
          await setState(database, narrow, registration, reachable);
          expect(await callers(database, tx)).toEqual(isOut ? all('wide') : TURNS);
          // It is still used when there is no better one.
          await setState(database, wide, registration, reachable);
          expect(await callers(database, tx)).toEqual(TURNS);
        });
      },
    );

    it('calls leads as the turns of a limit of calls a second come, by the one that has some', async () => {
      const paced = (database: Database, id: number, at: string) =>
        database.query(
          `INSERT INTO trunk_paces (trunk_id, user_id, next_at, place_at, step_ms) VALUES ($1, $2, ${at}, now(), 1000)`,
          [id, owner.userId],
        );
      await withFrozenNow(app, async (database, tx) => {
        await paced(database, narrow, "now() + interval '1300 milliseconds'");
        expect(await callers(database, tx)).toEqual(all('wide'));
        // Two turns in the time that is looked ahead.
        await paced(database, wide, "now() + interval '100 milliseconds'");
        expect(await callers(database, tx)).toEqual(['wide', 'wide']);
        await database.query('UPDATE trunk_paces SET next_at = $1', [new Date(Date.now() + 60_000)]);
        expect(await callers(database, tx)).toEqual([]);
        await database.query('DELETE FROM campaign_phone_numbers');
        await database.query('UPDATE assistants SET phone_number_id = $1', [wide]);
        expect(await callers(database, tx)).toEqual([]);
        await database.query('DELETE FROM trunk_paces');
        expect(await callers(database, tx)).toEqual(all('wide'));
      });
    });

    it('waits for the one that is full where the other one is away', async () => {
      await withFrozenNow(app, async (database, tx) => {
        await setState(database, wide, 'failed', false);
        await openCallBy(database, narrow);
        expect(await callers(database, tx)).toEqual(all('narrow'));
      });
    });
  });
});

describe('the trunks that are served, where there are more', () => {
  it('are shared by the accounts: each has one before another account has more', async () => {
    const app = await TestApp.start();
    const [first, second] = [await app.account(), await app.account()];
    const add = async (account: TestAccount, seed: number) =>
      (await app.as(account).post('/api/user/phone-numbers/sip-trunks').send(extensionBody(seed)).expect(201))
        .body.data.id as number;
    const many = [await add(first, 1), await add(first, 2), await add(first, 3)];
    const few = [await add(second, 4), await add(second, 5)];
    const repository = app.app.get(SipTrunksRepository, { strict: false });
    const served = async (limit: number) => (await repository.listShared(limit)).map(({ trunk }) => trunk.id);
    expect(await served(3)).toEqual([many[0], many[1], few[0]]);
    expect(await served(4)).toEqual([many[0], many[1], ...few]);
    expect(await served(10)).toEqual([...many, ...few]);
    await app.stop();
  });
});
