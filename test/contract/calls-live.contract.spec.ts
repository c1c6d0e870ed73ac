import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { rowsWithTotalStatement } from '../../src/modules/calls/listing/call-list.statements.js';
import { type CallStatus, isLive, LIVE_STATUSES } from '../../src/modules/calls/call-states.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { CallAccounts, PHONES, type CallQuery, matching } from '../support/call-accounts.js';
import { addRun } from '../support/call-rows.js';
import { type Plan, rowsOf } from '../support/plan-rows.js';

const LIST = '/api/user/calls';
const NOT_FOUND = { message: 'Ligação não encontrada' };
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** `live` of a call in which nothing was said, and whose caller does not wait; without `since`. */
const LIVE = { last_turn: null, holder: 'assistant', member_name: null, listeners: 0, waiting: null };

let accounts: CallAccounts;
let app: TestApp;
let ana: TestAccount;
let other: TestAccount;
let calls: CallsService;
let database: Database;

beforeAll(async () => {
  accounts = await CallAccounts.start();
  app = accounts.app;
  calls = app.app.get(CallsService);
  database = app.app.get(Database);
  other = await accounts.open();
});
afterAll(() => app.stop());
beforeEach(async () => {
  ana = await accounts.open();
});

const list = (query: CallQuery, account = ana) => app.as(account).get(LIST).query(query);

describe('live calls', () => {
  const SINCE = '2026-11-28T12:00:00.000Z';
  const liveOf = async (query: CallQuery = {}) =>
    (await list({ live: 'true', ...query }).expect(200)).body as {
      total: number;
      data: { id: number; live: unknown }[];
    };
  const readLive = async (id: number) =>
    (await app.as(ana).get(`${LIST}/${id}`).expect(200)).body.live as unknown;

  /** An answered call with a row in `active_calls`. @param set SQL of that row */
  async function addLive(set = "stage = 'open'", routing: object | null = null): Promise<number> {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'inbound' });
    await database.query(
      `UPDATE calls SET status = 'in-progress', started_at = $2::timestamptz - interval '5 s', answered_at = $2, routing = $3
       WHERE id = $1`,
      [id, SINCE, routing && JSON.stringify(routing)],
    );
    await addRun(database, id, ana.userId, set);
    return id;
  }

  /** @param second of the minute in which the caller began to wait */
  const waits = (number: number, second: number, leaseSeconds = 60) =>
    `stage = 'open', phone_number_id = ${number}, queued_at = '2026-11-28T12:01:0${second}Z',
     lease_until = now() + interval '${leaseSeconds} s'`;

  afterEach(() => database.query('DELETE FROM active_calls WHERE user_id = $1', [ana.userId]));

  it('are those that are not over, newest first, and only their items have `live`', async () => {
    const stored = await accounts.addCalls(ana.userId, 200, 10);
    const expected = [...LIVE_STATUSES]
      .flatMap((status) => matching(stored, { status }))
      .toSorted((a, b) => matching(stored, {}).indexOf(a) - matching(stored, {}).indexOf(b));
    for (const page of [1, 2]) {
      const { total, data } = await liveOf({ per_page: 50, page });
      const ids = expected.slice((page - 1) * 50, page * 50);
      expect([total, data.map(({ id }) => id)]).toEqual([expected.length, ids]);
      for (const { live } of data) expect(live).toEqual({ ...LIVE, since: expect.stringMatching(ISO) });
    }
    for (const query of [{}, { live: '' }] as CallQuery[]) {
      const { body } = await list({ ...query, per_page: 100 }).expect(200);
      expect(body.total).toBe(200);
      for (const item of body.data) expect(item).not.toHaveProperty('live');
    }
    expect(Object.keys((await list({ live: 'false' }).expect(422)).body.errors as object)).toEqual(['live']);
  });

  it('are narrowed down by the other filters', async () => {
    const stored = await accounts.addCalls(ana.userId, 200, 10);
    const filters: CallQuery[] = [
      { status: 'ringing' },
      { status: 'completed' },
      { type: 'web', assistant_id: accounts.assistantOf(ana, 1) },
      { branch: 'closed' },
      { phone_number: PHONES[0] },
      { date_from: '2025-11-22', date_to: '2025-11-25' },
    ];
    for (const query of filters) {
      const all = matching(stored, query);
      const live = stored.filter(({ status }) => isLive(status as CallStatus)).map(({ id }) => id);
      const expected = all.filter((id) => live.includes(id));
      const { total, data } = await liveOf({ ...query, per_page: 100 });
      expect([query, total, data.map(({ id }) => id)]).toEqual([query, expected.length, expected]);
    }
  });

  it('show since when they are answered, and what was said last', async () => {
    const id = await addLive();
    expect(await readLive(id)).toEqual({ ...LIVE, since: SINCE });
    await database.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted)
       VALUES ($1, $2, 1, 'customer', 'Oi', 1500, 1900, false), ($1, $2, 0, 'assistant', 'Olá!', 0, 1500, true)`,
      [id, ana.userId],
    );
    const live = {
      ...LIVE,
      since: SINCE,
      last_turn: { role: 'customer', text: 'Oi', at: '2026-11-28T12:00:01.500Z' },
    };
    expect(await readLive(id)).toEqual(live);
    expect((await liveOf()).data).toMatchObject([{ id, live }]);
  });

  it('show since when they ring', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'outbound' });
    await database.query("UPDATE calls SET status = 'ringing', started_at = $2 WHERE id = $1", [id, SINCE]);
    expect(await readLive(id)).toEqual({ ...LIVE, since: SINCE });
  });

  it('show the place of each caller in the queue of the number', async () => {
    const [second, first, otherNumber, lost] = [
      await addLive(waits(1, 2)),
      await addLive(waits(1, 1)),
      await addLive(waits(2, 3)),
      // No process has it: it delays no other, and keeps its place.
      await addLive(waits(1, 0, -1)),
    ];
    await addRun(
      database,
      (await calls.open(other.userId, { assistantName: '', type: 'inbound' })).id,
      other.userId,
      waits(1, 0),
    );
    const place = (position: number, at: number) => ({
      ...LIVE,
      since: SINCE,
      holder: 'queue',
      waiting: { position, since: `2026-11-28T12:01:0${at}.000Z` },
    });
    const expected = new Map([
      [second, place(2, 2)],
      [first, place(1, 1)],
      [otherNumber, place(1, 3)],
      [lost, place(1, 0)],
    ]);
    expect(new Map((await liveOf()).data.map(({ id, live }) => [id, live]))).toEqual(expected);
    for (const [id, live] of expected) expect(await readLive(id)).toEqual(live);
    await database.query('DELETE FROM active_calls WHERE user_id = $1', [other.userId]);
  });

  it('show who is being transferred', async () => {
    const transferred = await addLive("stage = 'open', second_leg_number_id = 1");
    const forwarded = await addLive("stage = 'open', without_line = true", {
      branch: 'closed',
      action: 'forward',
      reason: 'hours',
      forwardedTo: '+551130000009',
    });
    for (const id of [transferred, forwarded]) {
      expect(await readLive(id)).toEqual({ ...LIVE, since: SINCE, holder: 'transfer' });
    }
  });

  it('have no `live` once they are over, also while they are evaluated', async () => {
    const id = await addLive("stage = 'evaluating'");
    await calls.move(ana.userId, id, { from: 'in-progress', to: 'ended' });
    expect(await readLive(id)).toBeNull();
    expect((await liveOf()).data).toEqual([]);
  });

  it('are read by the account itself with the scope `read`', async () => {
    const id = await addLive();
    await app.as(other).get(`${LIST}/${id}`).expect(404);
    expect((await list({ live: 'true' }, other).expect(200)).body.data).not.toContainEqual(
      expect.objectContaining({ id }),
    );
    for (const [scopes, status] of [
      [['read'], 200],
      [['chat', 'calls', 'campaigns', 'admin'], 403],
    ] as const) {
      const { body } = await app.as(ana).post('/api/user/api-keys').send({ name: 'k', scopes }).expect(201);
      const key = { token: body.api_key.token as string };
      await app.as(key).get(LIST).query({ live: 'true' }).expect(status);
      await app.as(key).get(`${LIST}/${id}`).expect(status);
    }
    await app.http.get(LIST).query({ live: 'true' }).expect(401);
  });

  it('refuse a filter that is neither true nor false', async () => {
    const { body } = await list({ live: 'yes' }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['live']);
  });

  it('are found by their state in a long history, also when statistics say that many calls are live', async () => {
    await database.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, created_at)
       SELECT $1, 'Bia', 'inbound', CASE WHEN n % 20 = 0 THEN 'in-progress' ELSE 'completed' END,
         now() - n * interval '1 s' FROM generate_series(1, 5000) n`,
      [ana.userId],
    );
    await database.query('ANALYZE calls');
    await database.query("UPDATE calls SET status = 'completed' WHERE user_id = $1", [ana.userId]);
    await addLive();
    const { sql, parameters } = rowsWithTotalStatement(ana.userId, { isLive: true }, 15, 0);
    const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      parameters,
    );
    expect(row && rowsOf(row['QUERY PLAN'][0].Plan)).toBeLessThan(20);
  });
});

describe('POST /api/user/calls/{id}/hangup', () => {
  const hangUp = (id: number) => app.as(ana).post(`${LIST}/${id}/hangup`);

  it('asks for the end of a call that is on, and of no other', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'outbound' });
    const { id: untouched } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'outbound' });
    await addRun(database, id, ana.userId);
    await addRun(database, untouched, ana.userId);
    expect((await hangUp(id).expect(200)).body).toEqual({ message: 'Chamada encerrada com sucesso' });
    const requested = await database.query<{ call_id: number }>(
      'SELECT call_id FROM active_calls WHERE end_requested_at IS NOT NULL',
    );
    expect(requested).toEqual([{ call_id: id }]);
    await database.query('DELETE FROM active_calls WHERE call_id = ANY($1)', [[id, untouched]]);
  });

  it('answers 409 when it is over, 404 when it is missing or of another account', async () => {
    const over = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    const foreign = await calls.open(other.userId, { assistantName: 'Bia', type: 'web' });
    await addRun(database, foreign.id, other.userId);
    expect((await hangUp(over.id).expect(409)).body).toEqual({ message: 'A ligação já terminou' });
    for (const id of [foreign.id, 2_147_483_647]) {
      expect((await hangUp(id).expect(404)).body).toEqual(NOT_FOUND);
    }
    expect(await database.query('SELECT FROM active_calls WHERE end_requested_at IS NOT NULL')).toEqual([]);
    await database.query('DELETE FROM active_calls WHERE call_id = $1', [foreign.id]);
  });
});
