import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IdempotencyKeysRepository } from '../../src/modules/idempotency/idempotency-keys.repository.js';
import type { Database } from '../../src/database/database.js';
import { LoginBackoffRepository } from '../../src/modules/auth/passwords/login-backoff.repository.js';
import { NO_TOKENS } from '../../src/common/figures/token-sum.js';
import { ConversationsRepository } from '../../src/modules/conversations/conversations.repository.js';
import { TurnsRepository } from '../../src/modules/conversations/turns/turns.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { EARLIER, LATER, withFrozenNow } from '../support/frozen-now.js';

const MINE = randomUUID();
const ANOTHER = randomUUID();
const LEASE_MS = 15_000;
const LEASED = "now() + interval '15 seconds'";

let app: TestApp;
let owner: TestAccount;
let assistantId: number;
let version: string;

// Without the worker role no other process takes a lease.
beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account();
  ({ id: assistantId } = await createAssistant(app, owner));
  [{ version = '' } = {}] = await app.query<{ version: string }>(
    'SELECT assistant_version($1, $2) AS version',
    [owner.userId, assistantId],
  );
}, 60_000);
afterAll(() => app.stop());

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
