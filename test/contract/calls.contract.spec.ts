import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { rowsWithTotalStatement } from '../../src/modules/calls/listing/call-list.statements.js';
import { CallCountsService } from '../../src/modules/calls/listing/call-counts.service.js';
import {
  ANSWERERS,
  CALL_MOVES,
  CALL_STATUSES,
  CALL_TYPES,
  type CallStatus,
  isAllowed,
  isLive,
  LIVE_STATUSES,
} from '../../src/modules/calls/call-states.js';
import { ROUTING_BRANCHES, ROUTING_REASONS } from '../../src/common/phone/call-routing.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addRun } from '../support/call-rows.js';
import { type Plan, rowsOf } from '../support/plan-rows.js';

const LIST = '/api/user/calls';
const NOT_FOUND = { message: 'Ligação não encontrada' };
const DAY_MS = 86_400_000;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** `live` of a call in which nothing was said, and whose caller does not wait; without `since`. */
const LIVE = { last_turn: null, holder: 'assistant', member_name: null, listeners: 0, waiting: null };
const PHONES = ['+5511998765432', '+5521987654321', '+493012345678'] as const;

interface StoredCall {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly assistantId: number | null;
  readonly campaignId: number | null;
  readonly phone: string | null;
  readonly branch: string | null;
  readonly reason: string | null;
  readonly createdAt: string;
}

type Query = Readonly<Record<string, string | number>>;

let app: TestApp;
let ana: TestAccount;
let other: TestAccount;
let calls: CallsService;
let database: Database;
/** Ids by account. */
const assistants = new Map<number, readonly number[]>();
const campaigns = new Map<number, readonly number[]>();

beforeAll(async () => {
  app = await TestApp.start();
  calls = app.app.get(CallsService);
  database = app.app.get(Database);
  other = await openAccount();
});
afterAll(() => app.stop());
beforeEach(async () => {
  ana = await openAccount();
});

async function openAccount(): Promise<TestAccount> {
  const account = await app.account();
  assistants.set(account.userId, await addAssistants(account.userId));
  campaigns.set(account.userId, await addCampaigns(account.userId));
  return account;
}

/** The n-th assistant of the account, from 1. */
const assistantOf = (account: TestAccount, n: number) => assistants.get(account.userId)?.[n - 1] ?? 0;
/** The n-th campaign of the account, from 1. */
const campaignOf = (account: TestAccount, n: number) => campaigns.get(account.userId)?.[n - 1] ?? 0;

const settle = () => app.app.get(CallCountsService).settle();

/** Three assistants of an account, made by SQL: what they do is of no interest here. */
async function addAssistants(userId: number): Promise<readonly number[]> {
  const rows = await database.query<{ id: number }>(
    `INSERT INTO assistants (uuid, user_id, name, type, mode, language_id, voice_id, config)
     SELECT gen_random_uuid(), $1, 'Bia', 'outbound', 'pipeline', 1, 1, '{}' FROM generate_series(1, 3)
     RETURNING id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

async function addCampaigns(userId: number): Promise<readonly number[]> {
  const rows = await database.query<{ id: number }>(
    `INSERT INTO campaigns (user_id, name, timezone, max_calls_in_parallel, allowed_hours_start_time,
       allowed_hours_end_time, allowed_days, max_retries, retry_interval_minutes, retry_on_voicemail,
       retry_on_goal_incomplete, mark_complete_when_no_leads)
     SELECT $1, 'Spring', 'UTC', 1, '09:00', '18:00', '{monday}', 1, 10, false, false, true
     FROM generate_series(1, 2) RETURNING id`,
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** Calls spread over days, assistants, campaigns and the rest, by a rule that mixes them all. */
async function addCalls(userId: number, count: number, days: number): Promise<StoredCall[]> {
  return database.query<StoredCall>(
    `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status,
       client_phone_number, transcript, routing, created_at)
     SELECT $1, ($7::int[])[n * 7 % 4], 'Bia', ($8::int[])[n * 11 % 3], CASE WHEN n * 11 % 3 <> 0 THEN 'Spring' END,
       ($2::text[])[n * 13 % 3 + 1], ($3::text[])[n * 17 % 10 + 1], ($4::text[])[n * 19 % 4 + 1], 'Hello ' || n,
       CASE n % 7 WHEN 0 THEN '{"branch": "open", "action": "busy", "reason": null}'::jsonb
         WHEN 1 THEN '{"branch": "closed", "action": "busy", "reason": "hours"}' WHEN 2 THEN '{"branch": "closed", "action": "busy", "reason": "closed_date"}'
         WHEN 3 THEN '{"branch": "unavailable", "action": "busy", "reason": "hours"}' END,
       -- The first and the last moment of a day among them, and moments that several calls share.
       timestamptz '2025-11-20 00:00:00Z' + make_interval(days => n * 31 % $5::int)
         + CASE n % 5 WHEN 0 THEN interval '0' WHEN 1 THEN interval '23:59:59.999999'
                      ELSE make_interval(secs => n * 37 % 86400) END
     FROM generate_series(1, $6::int) AS n
     RETURNING id, status, type, assistant_id AS "assistantId", campaign_id AS "campaignId",
       client_phone_number AS phone, routing->>'branch' AS branch, routing->>'reason' AS reason,
       to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') AS "createdAt"`,
    [userId, CALL_TYPES, CALL_STATUSES, PHONES, days, count, assistants.get(userId), campaigns.get(userId)],
  );
}

/** A day as the clocks of a zone show it. */
function dayIn(zone: string): (call: StoredCall) => string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
  return ({ createdAt }) => format.format(new Date(`${createdAt.replace(' ', 'T').slice(0, 23)}Z`));
}

/** Where accounts are unless they say otherwise. */
const HOME = 'America/Sao_Paulo';

/** What the list should hold, newest first, found out without the database. */
function matching(stored: readonly StoredCall[], query: Query, zone = HOME): number[] {
  const dayOf = dayIn(zone);
  return stored
    .filter(
      (call) =>
        (query.status === undefined || call.status === query.status) &&
        (query.type === undefined || call.type === query.type) &&
        (query.phone_number === undefined || call.phone === query.phone_number) &&
        (query.assistant_id === undefined || call.assistantId === query.assistant_id) &&
        (query.campaign_id === undefined || call.campaignId === query.campaign_id) &&
        (query.branch === undefined || call.branch === query.branch) &&
        (query.reason === undefined || call.reason === query.reason) &&
        (query.date_from === undefined || dayOf(call) >= query.date_from) &&
        (query.date_to === undefined || dayOf(call) <= query.date_to),
    )
    .toSorted((a, b) => (a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1))
    .map(({ id }) => id);
}

const list = (query: Query, account = ana) => app.as(account).get(LIST).query(query);
const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

describe('GET /api/user/calls', () => {
  const combinations = (filters: Query): Query[] =>
    Array.from({ length: 2 ** Object.keys(filters).length }, (_, bits) =>
      Object.fromEntries(Object.entries(filters).filter((_entry, i) => bits & (1 << i))),
    );

  // spec: service.list-calls-filters, call.type, list-calls.status, list-calls.type
  // spec: list-calls.assistant_id
  it('applies every combination of filters, with an exact total, whatever part of the counts is settled', async () => {
    await expectEvery({
      status: 'completed',
      type: 'outbound',
      phone_number: PHONES[1],
      assistant_id: assistantOf(ana, 2),
      campaign_id: campaignOf(ana, 1),
      date_from: '2025-12-03',
      date_to: '2026-02-10',
    });
  }, 60_000);

  it('applies the filters of a routing in every combination with others', async () => {
    await expectEvery({
      branch: 'closed',
      reason: 'hours',
      status: 'completed',
      assistant_id: assistantOf(ana, 2),
      phone_number: PHONES[1],
      date_from: '2025-12-03',
    });
  }, 60_000);

  async function expectEvery(filters: Query): Promise<void> {
    const stored = await addCalls(ana.userId, 500, 120);
    await addCalls(other.userId, 60, 120);
    const check = async () => {
      for (const query of combinations(filters)) {
        const expected = matching(stored, query);
        const { body } = await list({ ...query, per_page: 7, page: 2 }).expect(200);
        expect({ query, total: body.total, ids: idsOf(body) }).toEqual({
          query,
          total: expected.length,
          ids: expected.slice(7, 14),
        });
      }
    };
    await check();
    await settle();
    stored.push(...(await addCalls(ana.userId, 40, 120)));
    await check();
    await settle();
    await check();
  }

  it.each([
    ['status', () => CALL_STATUSES],
    ['type', () => CALL_TYPES],
    ['phone_number', () => PHONES],
    ['assistant_id', () => [1, 2, 3, 4].map((n) => assistantOf(ana, n) || 2_147_483_647)],
    ['campaign_id', () => [campaignOf(ana, 1), campaignOf(ana, 2), 99_999]],
    ['branch', () => ROUTING_BRANCHES],
    ['reason', () => ROUTING_REASONS],
  ] as const)('filters by each %s', async (filter, values) => {
    const stored = await addCalls(ana.userId, 200, 30);
    for (const value of values()) {
      const expected = matching(stored, { [filter]: value });
      const { body } = await list({ [filter]: value, per_page: 100 }).expect(200);
      expect([body.total, idsOf(body)]).toEqual([expected.length, expected.slice(0, 100)]);
    }
  });

  // spec: list-calls.date_from, list-calls.date_to
  it.each([HOME, 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Europe/Berlin'])(
    'takes date_from and date_to as whole days in %s, both included, alone and together',
    async (zone) => {
      await app.as(ana).put('/api/user/settings').send({ timezone: zone }).expect(200);
      const stored = await addCalls(ana.userId, 300, 100);
      await settle();
      const queries: Query[] = [
        { date_from: '2025-12-01' },
        { date_from: '2025-12-02' },
        { date_to: '2025-11-30' },
        { date_to: '2025-12-30' },
        { date_from: '2025-12-15', date_to: '2025-12-15' },
        { date_from: '2025-12-01', date_to: '2025-12-31' },
        { date_from: '2025-11-20', date_to: '2026-02-27' },
        { date_from: '0001-01-01', date_to: '9999-12-31' },
      ];
      const found: number[] = [];
      for (const query of queries) {
        const expected = matching(stored, query, zone);
        found.push(expected.length);
        const { body, headers } = await list({ ...query, per_page: 100 }).expect(200);
        expect(headers['x-prosa-time-zone']).toBe(zone);
        expect([query, body.total, idsOf(body)]).toEqual([query, expected.length, expected.slice(0, 100)]);
      }
      expect(found.filter((count) => count > 0).length).toBeGreaterThan(6);
      const { body } = await list({ date_from: '2025-12-02', date_to: '2025-12-01' }).expect(200);
      expect([body.total, body.data]).toEqual([0, []]);
    },
  );

  // spec: list-calls.phone_number
  it('finds a customer number however it is written', async () => {
    const stored = await addCalls(ana.userId, 40, 5);
    const expected = matching(stored, { phone_number: PHONES[0] });
    for (const written of ['+5511998765432', '%2B55%2011%2099876-5432', '(11)%2099876-5432', '11998765432']) {
      const { body } = await app.as(ana).get(`${LIST}?phone_number=${written}&per_page=100`).expect(200);
      expect([written, body.total, idsOf(body)]).toEqual([written, expected.length, expected]);
    }
    const { body } = await list({ phone_number: 'unknown' }).expect(200);
    expect(body.total).toBe(0);
  });

  // spec: list-calls.per_page, list-calls.page, list-calls.page-object-current_page, limits.call-list-page
  it('answers the page object, 15 calls a page, with the query kept in its addresses', async () => {
    const stored = await addCalls(ana.userId, 40, 5);
    const all = matching(stored, { type: 'inbound' });
    const { body } = await list({ type: 'inbound', per_page: 5, page: 2 }).expect(200);
    const url = (page: number) =>
      expect.stringMatching(new RegExp(`/user/calls\\?type=inbound&per_page=5&page=${page}$`));
    expect(all).toHaveLength(13);
    expect(body).toEqual({
      current_page: 2,
      data: expect.any(Array),
      first_page_url: url(1),
      from: 6,
      last_page: 3,
      last_page_url: url(3),
      links: [
        { url: url(1), label: '&laquo; Previous', active: false },
        { url: url(1), label: '1', active: false },
        { url: url(2), label: '2', active: true },
        { url: url(3), label: '3', active: false },
        { url: url(3), label: 'Next &raquo;', active: false },
      ],
      next_page_url: url(3),
      path: expect.stringMatching(/\/api\/user\/calls$/),
      per_page: 5,
      prev_page_url: url(1),
      to: 10,
      total: 13,
    });
    expect(idsOf(body)).toEqual(all.slice(5, 10));

    const plain = await list({}).expect(200);
    expect(plain.body).toMatchObject({
      current_page: 1,
      per_page: 15,
      from: 1,
      to: 15,
      last_page: 3,
      total: 40,
    });
    expect(plain.body.data).toHaveLength(15);
  });

  // spec: list-calls.next_page_url
  it('ends with a shorter page without a next one; a page past the end is empty', async () => {
    await addCalls(ana.userId, 40, 5);
    const last = await list({ page: 3 }).expect(200);
    expect(last.body).toMatchObject({ from: 31, to: 40, total: 40, last_page: 3, next_page_url: null });
    expect(last.body.data).toHaveLength(10);
    for (const page of [4, 67, 2_000_000_000]) {
      const past = await list({ page }).expect(200);
      expect(past.body).toMatchObject({
        current_page: page,
        data: [],
        from: null,
        to: null,
        total: 40,
        last_page: 3,
        next_page_url: null,
      });
    }
  });

  it('answers an empty page when there are no calls', async () => {
    const { body } = await list({}).expect(200);
    expect(body).toMatchObject({
      data: [],
      total: 0,
      last_page: 1,
      from: null,
      to: null,
      next_page_url: null,
    });
  });

  it.each<Query>([
    {},
    { status: 'failed' },
    { date_from: '2025-12-05', date_to: '2026-05-20' },
    { type: 'web', date_to: '2026-05-31' },
    { type: 'outbound', campaign: 2, date_from: '2025-11-22' },
    { branch: 'closed', date_from: '2025-11-22' },
  ])(
    'gives each call once over all pages of a long list: %j',
    async ({ campaign, ...rest }) => {
      const query =
        campaign === undefined ? rest : { ...rest, campaign_id: campaignOf(ana, Number(campaign)) };
      const stored = await addCalls(ana.userId, 12_000, 220);
      const expected = matching(stored, query);
      await settle();
      stored.push(...(await addCalls(ana.userId, 30, 220)));
      const all = matching(stored, query);
      expect(all.length).toBeGreaterThan(expected.length);
      for (const page of [1, 9, 10, 11, 12, Math.ceil(all.length / 100) - 1, Math.ceil(all.length / 100)]) {
        const { body } = await list({ ...query, per_page: 100, page }).expect(200);
        expect([page, body.total, idsOf(body)]).toEqual([
          page,
          all.length,
          all.slice((page - 1) * 100, page * 100),
        ]);
      }
      const past = await list({ ...query, per_page: 100, page: Math.ceil(all.length / 100) + 1 }).expect(200);
      expect(past.body).toMatchObject({ total: all.length, data: [], from: null });
    },
    60_000,
  );

  // spec: list-calls.status, list-calls.per_page, limits.call-list-page
  it.each([
    ['status', 'answered'],
    ['type', 'sms'],
    ['assistant_id', 'x'],
    ['assistant_id', '0'],
    ['campaign_id', '99999999999'],
    ['date_from', '2026-02-30'],
    ['date_from', '01/02/2026'],
    ['date_to', '2026-1-1'],
    ['per_page', '0'],
    ['per_page', '101'],
    ['per_page', '1.5'],
    ['page', '0'],
    ['page', '-1'],
  ])('refuses %s=%j with 422 and errors of the field', async (field, value) => {
    const { body } = await list({ [field]: value }).expect(422);
    expect(body).toEqual({ message: expect.any(String), errors: { [field]: [body.message] } });
  });

  it('takes an empty filter as none', async () => {
    const [none, empty] = [
      await list({}).expect(200),
      await list({ status: '', phone_number: '' }).expect(200),
    ];
    expect(empty.body).toMatchObject({ total: none.body.total, data: none.body.data });
  });

  it('refuses a filter given twice', async () => {
    const { body } = await app.as(ana).get(`${LIST}?status=busy&status=failed`).expect(422);
    expect(Object.keys(body.errors)).toEqual(['status']);
  });

  it('never lists the calls of another account', async () => {
    await addCalls(other.userId, 20, 5);
    const queries: Query[] = [{}, { status: 'completed' }, { type: 'web' }, { phone_number: PHONES[0] }];
    for (const query of queries) {
      const { body } = await list(query).expect(200);
      expect([body.total, body.data]).toEqual([0, []]);
    }
  });

  it('needs a token', async () => {
    expect((await app.http.get(LIST).expect(401)).body).toEqual({ message: 'Não autorizado' });
  });
});

describe('the total of GET /api/user/calls', () => {
  const countOf = async (query: Query) => (await list({ ...query, per_page: 1 }).expect(200)).body.total;

  /** What the table says, cell by cell, against what lists say. */
  async function expectExact(): Promise<void> {
    const rows = await database.query<{ status: string; type: string; assistant_id: number; total: string }>(
      `SELECT status, type, assistant_id, count(*) AS total FROM calls WHERE user_id = $1
       GROUP BY GROUPING SETS ((), (status), (type), (assistant_id), (status, type, assistant_id))`,
      [ana.userId],
    );
    for (const { total, ...cell } of rows) {
      const query = Object.fromEntries(Object.entries(cell).filter(([, value]) => value !== null));
      expect([query, await countOf(query)]).toEqual([query, Number(total)]);
    }
  }

  it('follows a call through its moves, and its deletion', async () => {
    const assistantId = assistantOf(ana, 1);
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', assistantId, type: 'outbound' });
    const path: CallStatus[] = ['initiated', 'ringing', 'in-progress', 'ended_by_customer', 'completed'];
    for (const [i, status] of path.entries()) {
      const from = path[i - 1];
      if (from) expect(await calls.move(ana.userId, id, { from, to: status })).toBe(true);
      for (const other of CALL_STATUSES) {
        expect([other, await countOf({ status: other })]).toEqual([other, other === status ? 1 : 0]);
      }
      expect([await countOf({}), await countOf({ type: 'outbound', assistant_id: assistantId })]).toEqual([
        1, 1,
      ]);
      if (i % 2) await settle();
    }
    await app.as(ana).delete(`${LIST}/${id}`).expect(200);
    expect([await countOf({}), await countOf({ status: 'completed' })]).toEqual([0, 0]);
    await settle();
    expect([await countOf({}), await countOf({ status: 'completed' })]).toEqual([0, 0]);
  });

  it('matches the rows of the same answer, and is exact in the end, while many writers and a settler work', async () => {
    const work = { isDone: false };
    const write = async (writer: number) => {
      for (let i = 0; i < 25; i++) {
        const type = CALL_TYPES[(i + writer) % 3] ?? 'web';
        const assistantId = assistantOf(ana, (i % 3) + 1);
        const call = await calls.open(ana.userId, { assistantName: 'Bia', assistantId, type });
        let from: CallStatus = 'initiated';
        for (let step = 0; step < (i + writer) % 5; step++) {
          const to: CallStatus | undefined =
            CALL_MOVES[from][(i * writer) % Math.max(1, CALL_MOVES[from].length)];
          if (!to) break;
          await calls.move(ana.userId, call.id, { from, to });
          from = to;
        }
        if ((i + writer) % 4 === 0) await calls.delete(ana.userId, call.id);
      }
    };
    const read = async (query: Query) => {
      let reads = 0;
      while (!work.isDone) {
        const { body } = await list({ ...query, per_page: 100 }).expect(200);
        expect([query, body.data.length]).toEqual([query, Math.min(100, body.total)]);
        reads++;
      }
      return reads;
    };
    const settleOften = async () => {
      while (!work.isDone) await settle();
    };
    const queries: Query[] = [
      {},
      { status: 'completed' },
      { type: 'web', assistant_id: assistantOf(ana, 2) },
    ];
    const readers = queries.map(read);
    const settler = settleOften();
    await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer))).finally(() => {
      work.isDone = true;
    });
    const reads = await Promise.all([...readers, settler]);
    expect(reads.slice(0, 3).every((count) => Number(count) > 3)).toBe(true);
    await expectExact();
    await settle();
    await expectExact();
  }, 60_000);

  it('is not touched by a transaction that is rolled back', async () => {
    await addCalls(ana.userId, 10, 2);
    await expect(
      database.run(async (tx) => {
        await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' }, tx);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await countOf({})).toBe(10);
  });

  it('leaves no empty counts behind', async () => {
    await addCalls(ana.userId, 30, 10);
    await settle();
    await database.query('DELETE FROM calls WHERE user_id = $1', [ana.userId]);
    await settle();
    const rows = await database.query(
      `SELECT 1 FROM call_counts WHERE user_id = $1 UNION ALL SELECT 1 FROM call_totals WHERE user_id = $1
       UNION ALL SELECT 1 FROM call_dimension_totals WHERE user_id = $1
       UNION ALL SELECT 1 FROM call_routing_counts WHERE user_id = $1`,
      [ana.userId],
    );
    expect(rows).toEqual([]);
  });
});

describe('GET /api/user/calls/{id}', () => {
  const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

  // spec: campaign.campaign-holds-leads, call.id, call.answered_by, call.recording_url, call.created_at
  // spec: events.response-configured-webhooks
  it('answers the call itself, with exactly the fields of the document', async () => {
    const { id } = await calls.open(ana.userId, {
      assistantName: 'Bia',
      assistantId: assistantOf(ana, 1),
      campaignId: campaignOf(ana, 2),
      campaignName: 'Spring',
      type: 'outbound',
      assistantPhoneNumber: '+551130000000',
      clientPhoneNumber: PHONES[0],
      inputVariables: { segmento: 'padaria' },
      variables: { name: 'Caio' },
      recordingEnabled: true,
    });
    await calls.move(ana.userId, id, { from: 'initiated', to: 'ringing' });
    await calls.move(ana.userId, id, { from: 'ringing', to: 'in-progress' }, { answeredBy: 'human' });
    await database.query("UPDATE calls SET answered_at = answered_at - interval '83 seconds' WHERE id = $1", [
      id,
    ]);
    await calls.move(ana.userId, id, { from: 'in-progress', to: 'ended_by_customer' }, { transcript: 'Oi!' });
    await calls.move(
      ana.userId,
      id,
      { from: 'ended_by_customer', to: 'completed' },
      {
        evaluation: { status: true },
        webhookResponse: { status: 200 },
        carrierCostMicros: 21_500,
        aiCostMicros: 100_000,
      },
    );
    await database.query(
      "UPDATE calls SET recording_key = 'recordings/1.ogg', recording_bytes = 9 WHERE id = $1",
      [id],
    );
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).toEqual({
      id,
      assistant_name: 'Bia',
      campaign_name: 'Spring',
      type: 'outbound',
      duration: 83,
      assistant_phone_number: '+551130000000',
      client_phone_number: PHONES[0],
      status: 'completed',
      transcript: 'Oi!',
      variables: { name: 'Caio' },
      evaluation: { status: true },
      voice: null,
      webhook_response: { status: 200 },
      carrier_cost: 0.0215,
      total_cost: 0.1215,
      answered_by: 'human',
      recording_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/api\/recordings\/\d+\?expires=\d+&signature=[\w-]{43}$/,
      ),
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
      assistant_id: assistantOf(ana, 1),
      campaign_id: campaignOf(ana, 2),
      input_variables: { segmento: 'padaria' },
      turns: [],
      function_calls: [],
      desk: [],
      tags: [],
      quality: null,
      gatekeeper: null,
      end_reason: null,
      recording_skipped: null,
      live: null,
      routing: null,
      tokens: null,
    });
    // São Paulo is three hours behind UTC, all the year.
    expect(Math.abs(Date.parse(`${body.created_at.replace(' ', 'T')}-03:00`) - Date.now())).toBeLessThan(
      DAY_MS / 24,
    );
    const {
      assistant_id: _assistant,
      campaign_id: _campaign,
      input_variables: _inputVariables,
      turns: _turns,
      function_calls: _functionCalls,
      desk: _desk,
      tags: _tags,
      quality: _quality,
      gatekeeper: _gatekeeper,
      end_reason: _reason,
      recording_skipped: _skipped,
      live: _live,
      tokens: _tokens,
      ...listed
    } = body;
    expect((await list({}).expect(200)).body.data).toEqual([listed]);
  });

  // spec: call.id, call.campaign_name
  it('shows a call without campaign, numbers and recording with the types of the document', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).toEqual({
      id,
      assistant_name: 'Bia',
      type: 'web',
      duration: 0,
      assistant_phone_number: '',
      client_phone_number: '',
      status: 'initiated',
      transcript: '',
      variables: {},
      evaluation: {},
      voice: null,
      webhook_response: {},
      carrier_cost: 0,
      total_cost: 0,
      answered_by: 'unknown',
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
      assistant_id: null,
      campaign_id: null,
      input_variables: {},
      turns: [],
      function_calls: [],
      desk: [],
      tags: [],
      quality: null,
      gatekeeper: null,
      end_reason: null,
      recording_skipped: null,
      live: { ...LIVE, since: expect.stringMatching(ISO) },
      routing: null,
      tokens: null,
    });
    expect(ANSWERERS).toContain(body.answered_by);
  });

  // spec: call.recording_url
  it('keeps a recording back that was made where recording is not enabled', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    await database.query(
      "UPDATE calls SET recording_key = 'recordings/1.ogg', recording_bytes = 9 WHERE id = $1",
      [id],
    );
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).not.toHaveProperty('recording_url');
  });

  it('answers 404 for a missing call, for one of another account, and for what is no id', async () => {
    const foreign = await calls.open(other.userId, { assistantName: 'Bia', type: 'web' });
    for (const id of [foreign.id, 2_147_483_647, 0, -1, 'x', '99999999999999999999']) {
      const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(404);
      expect(body).toEqual(NOT_FOUND);
    }
  });
});

describe('the assistant of a call', () => {
  it('stays on the call by name when it is deleted, and filters no more', async () => {
    const id = assistantOf(ana, 1);
    const call = await calls.open(ana.userId, { assistantName: 'Bia', assistantId: id, type: 'web' });
    await calls.open(ana.userId, { assistantName: 'Bia', assistantId: id, type: 'web' });
    await database.query('DELETE FROM assistants WHERE id = $1', [id]);
    const { body } = await app.as(ana).get(`${LIST}/${call.id}`).expect(200);
    expect(body.assistant_name).toBe('Bia');
    for (const settleFirst of [false, true]) {
      if (settleFirst) await settle();
      expect((await list({ assistant_id: id }).expect(200)).body.total).toBe(0);
      expect((await list({ type: 'web' }).expect(200)).body.total).toBe(2);
    }
  });
});

describe('what was said in a call', () => {
  it('is shown turn by turn, in its order, with how long the customer waited', async () => {
    const quality = { response_ms: { p50: 640, p95: 900, max: 900 }, turns: [] };
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    await database.query(`UPDATE calls SET quality = $2, gatekeeper = 'screening' WHERE id = $1`, [
      id,
      quality,
    ]);
    await database.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted,
         assistant_id, assistant_name)
       VALUES ($1, $2, 1, 'customer', 'Oi', 1400, 1900, false, NULL, NULL),
         ($1, $2, 0, 'assistant', 'Olá!', 0, 1500, true, NULL, NULL),
         ($1, $2, 2, 'assistant', 'Pois não?', 2000, 2500, false, 7, 'Vendas')`,
      [id, ana.userId],
    );
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).toMatchObject({
      turns: [
        { role: 'assistant', text: 'Olá!', start_ms: 0, end_ms: 1_500, interrupted: true },
        { role: 'customer', text: 'Oi', start_ms: 1_400, end_ms: 1_900, interrupted: false },
        { role: 'assistant', text: 'Pois não?', assistant_name: 'Vendas', start_ms: 2_000 },
      ],
      quality,
      gatekeeper: 'screening',
    });
    await app.as(ana).delete(`${LIST}/${id}`).expect(200);
    expect(await database.query('SELECT FROM call_turns WHERE call_id = $1', [id])).toEqual([]);
  });
});

describe('live calls', () => {
  const SINCE = '2026-11-28T12:00:00.000Z';
  const liveOf = async (query: Query = {}) =>
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
    const stored = await addCalls(ana.userId, 200, 10);
    const expected = [...LIVE_STATUSES]
      .flatMap((status) => matching(stored, { status }))
      .toSorted((a, b) => matching(stored, {}).indexOf(a) - matching(stored, {}).indexOf(b));
    for (const page of [1, 2]) {
      const { total, data } = await liveOf({ per_page: 50, page });
      const ids = expected.slice((page - 1) * 50, page * 50);
      expect([total, data.map(({ id }) => id)]).toEqual([expected.length, ids]);
      for (const { live } of data) expect(live).toEqual({ ...LIVE, since: expect.stringMatching(ISO) });
    }
    for (const query of [{}, { live: '' }] as Query[]) {
      const { body } = await list({ ...query, per_page: 100 }).expect(200);
      expect(body.total).toBe(200);
      for (const item of body.data) expect(item).not.toHaveProperty('live');
    }
    expect(Object.keys((await list({ live: 'false' }).expect(422)).body.errors as object)).toEqual(['live']);
  });

  it('are narrowed down by the other filters', async () => {
    const stored = await addCalls(ana.userId, 200, 10);
    const filters: Query[] = [
      { status: 'ringing' },
      { status: 'completed' },
      { type: 'web', assistant_id: assistantOf(ana, 1) },
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

describe('DELETE /api/user/calls/{id}', () => {
  it('deletes for good', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    const { body } = await app.as(ana).delete(`${LIST}/${id}`).expect(200);
    expect(body).toEqual({ message: 'Chamada excluída com sucesso' });
    expect((await app.as(ana).get(`${LIST}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
    expect((await app.as(ana).delete(`${LIST}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
    expect(await database.query('SELECT 1 FROM calls WHERE id = $1', [id])).toEqual([]);
  });

  it('answers 404 for a call of another account and leaves it', async () => {
    const foreign = await calls.open(other.userId, { assistantName: 'Bia', type: 'web' });
    expect((await app.as(ana).delete(`${LIST}/${foreign.id}`).expect(404)).body).toEqual(NOT_FOUND);
    await app.as(other).get(`${LIST}/${foreign.id}`).expect(200);
  });
});

describe('the state of a call', () => {
  /** A call in a state, by SQL: some states have no way back to begin a move in. */
  async function callIn(status: CallStatus): Promise<number> {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'outbound' });
    await database.query('UPDATE calls SET status = $2 WHERE id = $1', [id, status]);
    return id;
  }

  // spec: states.call-initiated-ringing, states.call-transitions-not
  it('changes by the moves of the table and by no other', async () => {
    for (const from of CALL_STATUSES) {
      for (const to of CALL_STATUSES) {
        const id = await callIn(from);
        if (isAllowed({ from, to })) expect(await calls.move(ana.userId, id, { from, to })).toBe(true);
        else await expect(calls.move(ana.userId, id, { from, to })).rejects.toThrow('calls.illegal_move');
        const { status } = await calls.getWithTurns(ana.userId, id);
        expect([from, to, status]).toEqual([from, to, isAllowed({ from, to }) ? to : from]);
      }
    }
  });

  it('stays when it is not any more what the move expects, or when the call is of another account', async () => {
    const id = await callIn('in-progress');
    expect(await calls.move(ana.userId, id, { from: 'ringing', to: 'busy' })).toBe(false);
    expect(await calls.move(other.userId, id, { from: 'in-progress', to: 'ended' })).toBe(false);
    expect((await calls.getWithTurns(ana.userId, id)).status).toBe('in-progress');
  });

  it('is changed once when many want the same move', async () => {
    const id = await callIn('in-progress');
    const results = await Promise.all(
      (['ended', 'ended_by_customer', 'ended_by_assistant', 'ended'] as const).map((to) =>
        calls.move(ana.userId, id, { from: 'in-progress', to }),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('allows one live call for a lead', async () => {
    const [lead] = await database.query<{ id: number }>(
      "INSERT INTO leads (user_id, campaign_id, phone_number) VALUES ($1, $2, '+5511987654321') RETURNING id",
      [ana.userId, campaignOf(ana, 1)],
    );
    const details = { assistantName: 'Bia', type: 'outbound', leadId: lead?.id ?? 0 } as const;
    const { id } = await calls.open(ana.userId, details);
    await expect(calls.open(ana.userId, details)).rejects.toThrow('calls_one_live_per_lead_key');
    await calls.move(ana.userId, id, { from: 'initiated', to: 'failed' });
    await calls.open(ana.userId, details);
  });
});
