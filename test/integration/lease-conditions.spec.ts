import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyKeysRepository } from '../../src/modules/idempotency/idempotency-keys.repository.js';
import type { Database } from '../../src/database/database.js';
import { LoginBackoffRepository } from '../../src/modules/auth/passwords/login-backoff.repository.js';
import { ConcurrencySlotsRepository } from '../../src/modules/active-calls/concurrency-slots.repository.js';
import { CallHandoffsRepository } from '../../src/modules/active-calls/handoffs/call-handoffs.repository.js';
import { CallTurnsRepository } from '../../src/modules/calls/turns/call-turns.repository.js';
import { ActiveCallsRepository } from '../../src/modules/active-calls/active-calls.repository.js';
import { LineStatesRepository } from '../../src/modules/active-calls/line-states/line-states.repository.js';
import { OrphanedCallsRepository } from '../../src/modules/active-calls/orphaned-calls.repository.js';
import { NO_TOKENS } from '../../src/common/figures/token-sum.js';
import { ConversationsRepository } from '../../src/modules/conversations/conversations.repository.js';
import { TurnsRepository } from '../../src/modules/conversations/turns/turns.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addCall, addRun } from '../support/call-rows.js';
import { createCampaign } from '../support/campaign-builders.js';
import { withFrozenNow } from '../support/frozen-now.js';

const LATER = "now() + interval '1 millisecond'";
const EARLIER = "now() - interval '1 millisecond'";
const MINE = randomUUID();
const ANOTHER = randomUUID();
const LEASE_MS = 15_000;
const LEASED = "now() + interval '15 seconds'";

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;
let campaignId: number;
let assistantId: number;
let version: string;

// Without the worker role no other process takes a lease.
beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account();
  other = await app.account();
  campaignId = await createCampaign(app, owner);
  ({ id: assistantId } = await createAssistant(app, owner));
  [{ version = '' } = {}] = await app.query<{ version: string }>(
    'SELECT assistant_version($1, $2) AS version',
    [owner.userId, assistantId],
  );
}, 60_000);
afterAll(() => app.stop());

describe('the run of a call', () => {
  async function addRunning(database: Database, set: string): Promise<number> {
    const callId = await addCall(database, owner.userId);
    await addRun(database, callId, owner.userId, set);
    return callId;
  }

  const STAGES = ['waiting', 'placing', 'open', 'evaluating'] as const;
  type Stage = (typeof STAGES)[number];
  const moves: readonly (readonly [
    string,
    readonly Stage[],
    (activeCalls: ActiveCallsRepository, id: number) => Promise<unknown>,
  ])[] = [
    ['is placed', ['waiting'], (activeCalls, id) => activeCalls.beginPlacingAll([id])],
    ['is given back to be placed', ['placing'], (activeCalls, id) => activeCalls.returnToWaiting(id)],
    [
      'is open',
      ['placing'],
      (activeCalls, id) =>
        activeCalls.markAllOpen([{ callId: id, carrierCallId: 'carrier', token: MINE }], LEASE_MS),
    ],
    [
      'is taken over by force',
      ['open'],
      (activeCalls, id) => activeCalls.takeLease(id, MINE, LEASE_MS, true),
    ],
  ];

  it.each(
    moves.flatMap(([title, from, move]) =>
      STAGES.map((stage) => [title, stage, from.includes(stage), move] as const),
    ),
  )('%s while it is %s: %p', async (_title, stage, isMoved, move) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(database, `stage = '${stage}', stage_since = ${EARLIER}`);
      const untouched = await addRunning(database, `stage = '${stage}', stage_since = ${EARLIER}`);
      const state = (of: number) =>
        database.query('SELECT stage, stage_since, lease_token FROM active_calls WHERE call_id = $1', [of]);
      const before = await state(id);
      await move(new ActiveCallsRepository(database), id);
      expect(JSON.stringify(await state(id)) !== JSON.stringify(before)).toBe(isMoved);
      expect(await state(untouched)).toEqual(before);
    });
  });

  it.each(STAGES.map((stage) => [stage, stage === 'waiting' || stage === 'placing'] as const))(
    'that is %s can be withdrawn: %p',
    async (stage, isWithdrawn) => {
      await withFrozenNow(app, async (database, tx) => {
        const id = await addRunning(database, `stage = '${stage}'`);
        expect(await new ActiveCallsRepository(database).withdraw(id, tx)).toEqual(
          isWithdrawn ? { holdId: null } : null,
        );
      });
    },
  );

  it.each([
    ['lease_until = NULL', true],
    [`lease_until = ${EARLIER}`, true],
    ['lease_until = now()', false],
    [`lease_until = ${LATER}`, false],
  ])('that is followed with %s can be adopted: %p', async (lease, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(database, `stage = 'open', lease_token = '${ANOTHER}', ${lease}`);
      const activeCalls = new ActiveCallsRepository(database);
      expect(await activeCalls.takeLease(id, MINE, LEASE_MS, false)).toBe(isTaken);
      // And no process takes it a second time.
      expect(await activeCalls.takeLease(id, ANOTHER, LEASE_MS, false)).toBe(false);
      const [row] = await database.query(
        `SELECT lease_token, lease_until = ${LEASED} AS leased FROM active_calls`,
      );
      if (isTaken) expect(row).toEqual({ lease_token: MINE, leased: true });
      else expect(row).toMatchObject({ lease_token: ANOTHER });
    });
  });

  it.each([
    ['open', ANOTHER, true],
    // Another process was quicker, or the call is over.
    ['open', randomUUID(), false],
    ['evaluating', ANOTHER, false],
  ])('that is %s is taken from a dead process by one of two: %#', async (stage, token, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = ${LATER}, line_state = 'sealed',
         second_leg_number_id = 7`,
      );
      const lines = new LineStatesRepository(database);
      const line = { callId: id, userId: owner.userId, carrierCallId: 'carrier', leaseToken: ANOTHER };
      const gone = { ...line, isLapsed: false, voiceProcessId: null, address: null, isDraining: false };
      expect(await lines.takeFrom(gone, MINE, MINE, LEASE_MS)).toBe(isTaken);
      expect(await lines.takeFrom(gone, randomUUID(), ANOTHER, LEASE_MS)).toBe(false);
      expect(await lines.isElsewhere(id, ANOTHER)).toBe(isTaken);
      expect(await lines.isElsewhere(id, MINE)).toBe(false);
      // The process that had it writes nothing any more.
      expect(await lines.save(id, ANOTHER, 'of the dead')).toBe(false);
      expect(await lines.save(id, MINE, 'new')).toBe(isTaken);
      expect(await lines.find(id)).toBe(isTaken ? 'new' : 'sealed');
      // The second leg of a transfer died with the process, and takes no room on its trunk any more.
      const [row] = await database.query('SELECT second_leg_number_id AS leg FROM active_calls');
      expect(row).toEqual({ leg: isTaken ? null : 7 });
    });
  });

  it.each([
    [0, "now() - interval '29 seconds'", true],
    [30_000, "now() - interval '30 seconds'", false],
    [30_000, "now() - interval '30.001 seconds'", true],
  ])('is waited with for %i ms, with a lease until %s: %p', async (lapsedMs, until, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = 'open', lease_token = '${ANOTHER}', lease_until = ${until}`,
      );
      const activeCalls = new ActiveCallsRepository(database);
      expect(await activeCalls.takeLease(id, MINE, LEASE_MS, false, lapsedMs)).toBe(isTaken);
    });
  });

  it.each([
    ['open', MINE, true],
    ['open', ANOTHER, false],
    ['evaluating', MINE, false],
  ])('that is %s under a token renews its lease for its own alone: %#', async (stage, token, isRenewed) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = now()`,
      );
      const renewed = await new ActiveCallsRepository(database).renewLease(id, MINE, LEASE_MS);
      expect(renewed).toEqual(isRenewed ? { carrierCallId: null, isToEnd: false } : null);
      const [row] = await database.query<{ leased: boolean }>(
        `SELECT lease_until = ${LEASED} AS leased FROM active_calls`,
      );
      expect(row?.leased).toBe(isRenewed);
    });
  });

  it.each([
    ['open', MINE, true],
    ['open', ANOTHER, false],
    ['evaluating', MINE, false],
  ])('that is %s under a token takes the turns of its own alone: %#', async (stage, token, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = now()`,
      );
      const turns = new CallTurnsRepository(database);
      const said = (text: string, endMs: number) => {
        return {
          role: 'customer' as const,
          text,
          startMs: 100,
          endMs,
          interrupted: false,
          assistantId: null,
          assistantName: null,
          memberName: null,
        };
      };
      await turns.write(id, MINE, { position: 0, turns: [said('Oi', 200), said('Alô', 300)] });
      await turns.write(id, MINE, { position: 1, turns: [said('Alô?', 400)] });
      const kept = await database.query(
        'SELECT position, text, end_ms FROM call_turns WHERE call_id = $1 ORDER BY position',
        [id],
      );
      expect(kept).toEqual(
        isTaken
          ? [
              { position: 0, text: 'Oi', end_ms: 200 },
              { position: 1, text: 'Alô?', end_ms: 400 },
            ]
          : [],
      );
    });
  });

  it.each([
    ['open', MINE, true],
    ['open', ANOTHER, false],
    ['evaluating', MINE, false],
  ])('that is %s under a token is handed over by its own alone: %#', async (stage, token, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = now()`,
      );
      const handoffs = new CallHandoffsRepository(database);
      expect(await handoffs.write(id, MINE, { speakerId: 7, handoffs: 2 })).toBe(isTaken);
      expect(await handoffs.find(id)).toEqual(
        isTaken ? { speakerId: 7, handoffs: 2 } : { speakerId: null, handoffs: 0 },
      );
    });
  });

  it.each([
    [MINE, true],
    [ANOTHER, false],
  ])('is released only by its holder: %#', async (token, isReleased) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = 'open', lease_token = '${token}', lease_until = ${LATER}`,
      );
      await new ActiveCallsRepository(database).releaseLease(id, MINE);
      expect(await database.query('SELECT FROM active_calls WHERE lease_until = now()')).toHaveLength(
        isReleased ? 1 : 0,
      );
    });
  });

  it.each([
    ['open', MINE, MINE, true],
    ['open', ANOTHER, MINE, false],
    ['open', null, MINE, false],
    ['open', ANOTHER, null, false],
    ['waiting', null, null, true],
    ['evaluating', MINE, MINE, false],
  ])('that is %s under %s ends for %s: %p', async (stage, token, by, isEnded) => {
    const given = token === null ? 'NULL' : `'${token}'`;
    for (const end of ['endTalk', 'endUnanswered'] as const) {
      await withFrozenNow(app, async (database, tx) => {
        const id = await addRunning(
          database,
          `stage = '${stage}', lease_token = ${given}, line = 1, line_state = 'sealed'`,
        );
        expect(Boolean(await new ActiveCallsRepository(database)[end](id, by, tx))).toBe(isEnded);
        const rows = await database.query('SELECT line, line_state FROM active_calls');
        if (!isEnded) expect(rows).toEqual([{ line: 1, line_state: 'sealed' }]);
        else expect(rows).toEqual(end === 'endTalk' ? [{ line: null, line_state: null }] : []);
      });
    }
  });

  it.each(STAGES.map((stage) => [stage, stage === 'evaluating'] as const))(
    'that is %s has nothing left to do: %p, and counts as a line otherwise',
    async (stage, isOver) => {
      await withFrozenNow(app, async (database, tx) => {
        const id = await addRunning(database, `stage = '${stage}'`);
        const activeCalls = new ActiveCallsRepository(database);
        const lines = new ConcurrencySlotsRepository(database);
        expect(await lines.countOf(owner.userId, tx)).toBe(isOver ? 0 : 1);
        expect(await lines.countOf(other.userId, tx)).toBe(0);
        expect((await activeCalls.end(id, tx)) !== null).toBe(isOver);
      });
    },
  );

  it.each([
    ["stage = 'open'", true, true],
    ["stage = 'waiting'", true, true],
    ["stage = 'evaluating'", true, false],
    ["stage = 'open'", false, false],
  ])('with %s, of the campaign that is stopped: %p, is marked: %p', async (set, isOfCampaign, isMarked) => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await addCall(database, owner.userId, {
        campaignId: isOfCampaign ? campaignId : null,
        campaignName: 'Renovação',
      });
      await addRun(database, id, owner.userId, set);
      const activeCalls = new ActiveCallsRepository(database);
      await activeCalls.requestEnds(other.userId, campaignId, tx);
      expect(await activeCalls.findEndRequested([], 9)).toEqual([]);
      await activeCalls.requestEnds(owner.userId, campaignId, tx);
      expect((await activeCalls.findEndRequested([], 9)).map(({ callId }) => callId)).toEqual(
        isMarked ? [id] : [],
      );
      expect(await activeCalls.findEndRequested([id], 9)).toEqual([]);
      expect(await activeCalls.findEndRequested([], 0)).toEqual([]);
      // A mark keeps its time, and the work after the call is not ended.
      await database.query(
        `UPDATE active_calls SET end_requested_at = ${EARLIER} WHERE end_requested_at IS NOT NULL`,
      );
      await activeCalls.requestEnds(owner.userId, campaignId, tx);
      const marked = await database.query(`SELECT FROM active_calls WHERE end_requested_at = ${EARLIER}`);
      expect(marked).toHaveLength(isMarked ? 1 : 0);
      await database.query("UPDATE active_calls SET stage = 'evaluating'");
      expect(await activeCalls.findEndRequested([], 9)).toEqual([]);
    });
  });

  describe('without a holder', () => {
    const SPEED = 2;
    const GRACE_MS = 10_000;
    const ago = (seconds: number) => `now() - interval '${seconds} seconds'`;
    const NONE = { id: null, name: null };
    const OURS = { id: campaignId, name: 'Renovação' };
    const GONE = { id: null, name: 'Renovação' };
    const HELD = `lease_until = ${LATER}`;
    // 60 s of talk and 30 s of ringing at twice the speed, and 10 s more.
    const TALK_S = 40;
    const RING_S = 55;

    it.each([
      ['waiting', NONE, `stage_since = ${ago(5.001)}`, 'now()', null, 'undialled'],
      ['waiting', NONE, `stage_since = ${ago(5)}`, 'now()', null, null],
      ['placing', NONE, `stage_since = ${ago(5.001)}`, 'now()', null, 'undialled'],
      ['waiting', 'ours', `stage_since = ${ago(999)}`, 'now()', null, null],
      ['waiting', GONE, `stage_since = ${ago(60.001)}`, 'now()', null, 'abandoned'],
      ['waiting', GONE, `stage_since = ${ago(60)}`, 'now()', null, null],
      ['placing', GONE, `stage_since = ${ago(60.001)}`, 'now()', null, 'abandoned'],
      ['open', NONE, HELD, ago(RING_S), null, null],
      ['open', NONE, HELD, ago(RING_S + 0.001), null, 'overdue'],
      ['open', NONE, HELD, ago(999), ago(TALK_S), null],
      ['open', NONE, HELD, ago(999), ago(TALK_S + 0.001), 'overdue'],
      ['open', GONE, HELD, 'now()', null, 'abandoned'],
      ['open', 'ours', HELD, 'now()', null, null],
      ['open', NONE, 'lease_until = now()', 'now()', null, null],
      ['open', NONE, `lease_until = ${EARLIER}`, 'now()', null, 'unmonitored'],
      ['open', NONE, 'lease_until = NULL', 'now()', null, 'unmonitored'],
      ['evaluating', NONE, `stage_since = ${ago(60)}`, 'now()', null, null],
      ['evaluating', NONE, `stage_since = ${ago(60.001)}`, 'now()', null, 'unevaluated'],
      ['evaluating', NONE, `stage_since = ${ago(600)}`, 'now()', null, 'unevaluated'],
      ['evaluating', NONE, `stage_since = ${ago(600.001)}`, 'now()', null, 'unevaluable'],
    ] as const)(
      'is found: %s, of %j, %s, made %s, answered %s: %s',
      async (stage, of, set, madeAt, answeredAt, why) => {
        await withFrozenNow(app, async (database) => {
          const { id, name } = of === 'ours' ? { ...OURS, id: campaignId } : of;
          const callId = await addCall(database, owner.userId, { campaignId: id, campaignName: name });
          await database.query(
            `UPDATE calls SET created_at = ${madeAt}, answered_at = ${answeredAt ?? 'NULL'}`,
          );
          await addRun(database, callId, owner.userId, `stage = '${stage}', ${set}`);
          const found = await new OrphanedCallsRepository(database).find(
            new Map([['sandbox', SPEED]]),
            GRACE_MS,
            9,
          );
          expect(found).toEqual(why === null ? [] : [{ callId, why }]);
        });
      },
    );
  });

  it.each([
    [3, [1], 2],
    [3, [1, 2, 3], 0],
    // A line from when there were more counts against the limit.
    [3, [1, 9], 1],
    [3, [8, 9], 1],
    [3, [7, 8, 9], 0],
  ])('of %i lines, with the lines %j in use, can have %i', async (ofPlatform, taken, expected) => {
    await withFrozenNow(app, async (database, tx) => {
      for (const line of taken) await addRunning(database, `stage = 'open', line = ${line}`);
      const lines = await new ConcurrencySlotsRepository(database).take(9, ofPlatform, tx);
      expect(lines).toHaveLength(expected);
      for (const line of lines) {
        expect(taken).not.toContain(line);
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(ofPlatform);
      }
    });
  });
});

describe('the turn of a conversation', () => {
  async function add(database: Database, set: string): Promise<string> {
    const id = randomUUID();
    await database.query(
      `INSERT INTO conversations (id, user_id, assistant_id, type, variables) VALUES ($1, $2, $3, 'widget', '{}')`,
      [id, owner.userId, assistantId],
    );
    await database.query(`UPDATE conversations SET ${set} WHERE id = $1`, [id]);
    return id;
  }
  const held = (until: string) => `turn_token = '${ANOTHER}', turn_expires_at = ${until}`;
  const newTurn = (conversationId: string, token: string) => ({
    conversationId,
    token,
    leaseMs: LEASE_MS,
    content: 'Olá',
    version,
    reactivates: false,
    historyLimit: 10,
    hold: null,
  });
  const ANSWER = {
    text: 'Olá!',
    functionCalls: [],
    endsConversation: false,
    tokens: NO_TOKENS,
    handoff: null,
  };
  const holderOf = async (database: Database, id: string) =>
    (
      await database.query(
        `SELECT turn_token AS token, turn_expires_at = ${LEASED} AS leased FROM conversations WHERE id = $1`,
        [id],
      )
    )[0];

  it.each([
    ['turn_token = NULL', true],
    [held(EARLIER), true],
    [held('now()'), false],
    [held(LATER), false],
  ])('can be taken with %s: %p', async (set, isTaken) => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await add(database, set);
      const turns = new TurnsRepository(database);
      expect(await turns.begin(newTurn(id, MINE), tx)).toMatchObject({ outcome: isTaken ? 'begun' : 'busy' });
      expect(await turns.begin(newTurn(id, randomUUID()), tx)).toEqual({ outcome: 'busy' });
      expect(await holderOf(database, id)).toMatchObject(
        isTaken ? { token: MINE, leased: true } : set === 'turn_token = NULL' ? {} : { token: ANOTHER },
      );
      expect(await turns.begin(newTurn(randomUUID(), MINE), tx)).toEqual({ outcome: 'missing' });
    });
  });

  it('is not begun with an assistant that has changed since', async () => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await add(database, 'turn_token = NULL');
      const turns = new TurnsRepository(database);
      expect(await turns.begin({ ...newTurn(id, MINE), version: `${version}0` }, tx)).toEqual({
        outcome: 'outdated',
      });
      expect(await holderOf(database, id)).toEqual({ token: null, leased: null });
      expect(await turns.begin(newTurn(id, MINE), tx)).toMatchObject({ outcome: 'begun' });
    });
  });

  it('is renewed, used and released only by its holder', async () => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await add(database, held(LATER));
      const untouched = await add(database, held(LATER));
      const turns = new TurnsRepository(database);
      const turn = (token: string) => ({ conversationId: id, token, messageId: 0, holdId: null });
      const before = await holderOf(database, id);
      await turns.renew(id, MINE, LEASE_MS);
      expect(await turns.finish(turn(MINE), ANSWER, tx)).toBeNull();
      expect(await turns.abandon(turn(MINE))).toBeNull();
      expect(await holderOf(database, id)).toEqual(before);
      await turns.renew(id, ANOTHER, LEASE_MS);
      expect(await holderOf(database, id)).toEqual({ token: ANOTHER, leased: true });
      expect(await turns.finish(turn(ANOTHER), ANSWER, tx)).toEqual(expect.any(Number));
      expect(await holderOf(database, id)).toEqual({ token: null, leased: null });
      await turns.renew(id, ANOTHER, LEASE_MS);
      expect(await turns.finish(turn(ANOTHER), ANSWER, tx)).toBeNull();
      expect(await holderOf(database, id)).toEqual({ token: null, leased: null });
      expect(await holderOf(database, untouched)).toEqual(before);
    });
  });

  it.each([
    ['turn_token = NULL', 'voided'],
    [held(LATER), 'held'],
    [held(EARLIER), 'held'],
    [`turn_token = '${MINE}', turn_expires_at = ${LATER}`, 'voided'],
    [`turn_token = '${MINE}', turn_expires_at = ${EARLIER}`, 'voided'],
  ])('that ends without an answer, with %s, leaves its hold %s', async (set, state) => {
    await withFrozenNow(app, async (database) => {
      const id = await add(database, set);
      const holdId = randomUUID();
      await database.query(
        `INSERT INTO holds (id, user_id, kind, reference, amount_micros) VALUES ($1, $2, 'message', 'message:1', 10000)`,
        [holdId, owner.userId],
      );
      const turn = { conversationId: id, token: MINE, messageId: 0, holdId };
      expect(await new TurnsRepository(database).abandon(turn)).toBeNull();
      expect(await database.query('SELECT state FROM holds WHERE id = $1', [holdId])).toEqual([{ state }]);
    });
  });

  it.each([
    ['idle_at = now()', true],
    [`idle_at = ${LATER}`, false],
    ['idle_at = NULL', false],
    ['idle_at = now(), ended_at = now()', false],
    [`idle_at = now(), ${held(EARLIER)}`, true],
    [`idle_at = now(), ${held('now()')}`, false],
    [`idle_at = now(), ${held(LATER)}`, false],
  ])('is none without a message: with %s it ends: %p', async (set, ends) => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await add(database, set);
      const conversations = new ConversationsRepository(database);
      expect(await conversations.endIdle(0, tx)).toEqual([]);
      expect((await conversations.endIdle(9, tx)).map((ended) => ended.id)).toEqual(ends ? [id] : []);
    });
  });
});

describe('a key of a request', () => {
  const keyHash = Buffer.alloc(32, 1);
  const mine = { keyHash, token: MINE };

  async function add(
    database: Database,
    set = `lease_token = '${MINE}'`,
  ): Promise<IdempotencyKeysRepository> {
    const keys = new IdempotencyKeysRepository(database);
    for (const hash of [keyHash, Buffer.alloc(32, 2)]) {
      const key = { keyHash: hash, token: MINE, scope: 'account:1', requestHash: Buffer.alloc(32) };
      expect(await keys.add(key, 1_000, 60_000)).toBe(true);
      expect(await keys.add({ ...key, token: ANOTHER }, 1_000, 60_000)).toBe(false);
    }
    await database.query(`UPDATE idempotency_keys SET ${set} WHERE key_hash = $1`, [keyHash]);
    return keys;
  }
  const rowOf = async (database: Database) =>
    (
      await database.query(
        `SELECT lease_token AS token, leased_until = ${LEASED} AS leased, leased_until = now() AS over, effect,
           response_status AS status FROM idempotency_keys WHERE key_hash = $1`,
        [keyHash],
      )
    )[0];

  it.each([
    ['leased_until', 'now()', true],
    ['leased_until', LATER, false],
    ['expires_at', 'now()', true],
    ['expires_at', LATER, false],
  ])('with %s = %s is over: %p', async (column, value, isOver) => {
    await withFrozenNow(app, async (database) => {
      const keys = await add(database, `${column} = ${value}`);
      const { isLeaseOver, isExpired } = (await keys.find(keyHash))!;
      expect({ isLeaseOver, isExpired }).toEqual(
        column === 'expires_at'
          ? { isLeaseOver: false, isExpired: isOver }
          : { isLeaseOver: isOver, isExpired: false },
      );
      if (column !== 'expires_at') return;
      expect(await keys.sweep(0)).toBe(0);
      expect(await keys.sweep(9)).toBe(isOver ? 1 : 0);
    });
    if (column !== 'expires_at') return;
    await withFrozenNow(app, async (database) => {
      const keys = await add(database, `${column} = ${value}`);
      await keys.deleteExpired(keyHash);
      expect((await keys.find(keyHash)) === null).toBe(isOver);
      expect(await keys.find(Buffer.alloc(32, 2))).not.toBeNull();
    });
  });

  it.each([
    [`lease_token = '${ANOTHER}', leased_until = now()`, true],
    [`lease_token = '${ANOTHER}', leased_until = ${LATER}`, false],
    [`lease_token = '${randomUUID()}', leased_until = now()`, false],
    [`lease_token = '${ANOTHER}', leased_until = now(), response_status = 200`, false],
  ])('with %s can be taken over: %p', async (set, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const keys = await add(database, set);
      expect(await keys.takeOver(mine, ANOTHER, LEASE_MS)).toBe(isTaken);
      expect(await keys.takeOver(mine, ANOTHER, LEASE_MS)).toBe(false);
      if (isTaken) expect(await rowOf(database)).toMatchObject({ token: MINE, leased: true });
    });
  });

  it.each([
    [`lease_token = '${MINE}'`, true],
    [`lease_token = '${ANOTHER}'`, false],
    [`lease_token = '${MINE}', response_status = 201`, false],
  ])('with %s may be used by its run: %p', async (set, isMine) => {
    await withFrozenNow(app, async (database, tx) => {
      const keys = await add(database, set);
      expect(await keys.lockEffect(mine, tx)).toBe(isMine ? null : undefined);
      await keys.renew(mine, LEASE_MS);
      expect(await rowOf(database)).toMatchObject({ leased: isMine });
      const before = await rowOf(database);
      await keys.complete(mine, 200, null);
      expect(await rowOf(database)).toEqual(isMine ? { ...(before as object), status: 200 } : before);
    });
  });

  it.each([
    [`lease_token = '${MINE}'`, 'forgotten'],
    [`lease_token = '${MINE}', effect = 'call:1'`, 'over'],
    [`lease_token = '${ANOTHER}'`, 'kept'],
    [`lease_token = '${ANOTHER}', effect = 'call:1'`, 'kept'],
    [`lease_token = '${MINE}', response_status = 200`, 'kept'],
    [`lease_token = '${MINE}', effect = 'call:1', response_status = 200`, 'kept'],
  ])('with %s is %s when its run makes no answer', async (set, outcome) => {
    await withFrozenNow(app, async (database) => {
      const keys = await add(database, set);
      const before = await rowOf(database);
      await keys.release(mine);
      const after = await rowOf(database);
      if (outcome === 'forgotten') expect(after).toBeUndefined();
      else expect(after).toEqual(outcome === 'over' ? { ...(before as object), over: true } : before);
      expect(await keys.find(Buffer.alloc(32, 2))).not.toBeNull();
    });
  });
});

describe('a try to log in', () => {
  const RULE = { freeFailures: 3, longestSeconds: 8, forgottenAfterSeconds: 100 };
  const subject = Buffer.alloc(32, 3);

  async function afterTry(set: string) {
    let result: unknown;
    await withFrozenNow(app, async (database) => {
      await database.query(
        'INSERT INTO login_backoffs (subject, failures, blocked_until, last_tried_at) VALUES ($1, 1, now(), now())',
        [subject],
      );
      await database.query(`UPDATE login_backoffs SET ${set}`);
      const isAdmitted = await new LoginBackoffRepository(database).admit(subject, RULE);
      const [row] = await database.query<{ failures: number; wait: string }>(
        'SELECT failures, extract(epoch FROM blocked_until - now()) AS wait FROM login_backoffs',
      );
      result = [isAdmitted, row?.failures, Number(row?.wait)];
    });
    return result;
  }

  it.each([
    ['failures = 1', [true, 2, 0]],
    ['failures = 2', [true, 3, 0]],
    ['failures = 3', [true, 4, 1]],
    ['failures = 4', [true, 5, 2]],
    ['failures = 6', [true, 7, 8]],
    ['failures = 7', [true, 8, 8]],
    ['failures = 99', [true, 100, 8]],
    [`failures = 5, blocked_until = ${LATER}`, [false, 5, 0.001]],
    ["failures = 5, last_tried_at = now() - interval '100 seconds'", [true, 6, 4]],
    ["failures = 5, last_tried_at = now() - interval '100.001 seconds'", [true, 1, 0]],
  ])('with %s is admitted, counted, and makes wait: %j', async (set, expected) => {
    expect(await afterTry(set)).toEqual(expected);
  });
});
