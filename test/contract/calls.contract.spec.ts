import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { CallCountsService } from '../../src/modules/calls/listing/call-counts.service.js';
import {
  CALL_MOVES,
  CALL_STATUSES,
  CALL_TYPES,
  type CallStatus,
} from '../../src/modules/calls/call-states.js';
import { ROUTING_BRANCHES, ROUTING_REASONS } from '../../src/common/phone/call-routing.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { CallAccounts, HOME, PHONES, type CallQuery, matching } from '../support/call-accounts.js';

const LIST = '/api/user/calls';

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

const settle = () => app.app.get(CallCountsService).settle();
const list = (query: CallQuery, account = ana) => app.as(account).get(LIST).query(query);
const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);

describe('GET /api/user/calls', () => {
  const combinations = (filters: CallQuery): CallQuery[] =>
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
      assistant_id: accounts.assistantOf(ana, 2),
      campaign_id: accounts.campaignOf(ana, 1),
      date_from: '2025-12-03',
      date_to: '2026-02-10',
    });
  }, 60_000);

  it('applies the filters of a routing in every combination with others', async () => {
    await expectEvery({
      branch: 'closed',
      reason: 'hours',
      status: 'completed',
      assistant_id: accounts.assistantOf(ana, 2),
      phone_number: PHONES[1],
      date_from: '2025-12-03',
    });
  }, 60_000);

  async function expectEvery(filters: CallQuery): Promise<void> {
    const stored = await accounts.addCalls(ana.userId, 500, 120);
    await accounts.addCalls(other.userId, 60, 120);
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
    stored.push(...(await accounts.addCalls(ana.userId, 40, 120)));
    await check();
    await settle();
    await check();
  }

  it.each([
    ['status', () => CALL_STATUSES],
    ['type', () => CALL_TYPES],
    ['phone_number', () => PHONES],
    ['assistant_id', () => [1, 2, 3, 4].map((n) => accounts.assistantOf(ana, n) || 2_147_483_647)],
    ['campaign_id', () => [accounts.campaignOf(ana, 1), accounts.campaignOf(ana, 2), 99_999]],
    ['branch', () => ROUTING_BRANCHES],
    ['reason', () => ROUTING_REASONS],
  ] as const)('filters by each %s', async (filter, values) => {
    const stored = await accounts.addCalls(ana.userId, 200, 30);
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
      const stored = await accounts.addCalls(ana.userId, 300, 100);
      await settle();
      const queries: CallQuery[] = [
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
    const stored = await accounts.addCalls(ana.userId, 40, 5);
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
    const stored = await accounts.addCalls(ana.userId, 40, 5);
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
    await accounts.addCalls(ana.userId, 40, 5);
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

  it.each<CallQuery>([
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
        campaign === undefined ? rest : { ...rest, campaign_id: accounts.campaignOf(ana, Number(campaign)) };
      const stored = await accounts.addCalls(ana.userId, 12_000, 220);
      const expected = matching(stored, query);
      await settle();
      stored.push(...(await accounts.addCalls(ana.userId, 30, 220)));
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
    await accounts.addCalls(other.userId, 20, 5);
    const queries: CallQuery[] = [{}, { status: 'completed' }, { type: 'web' }, { phone_number: PHONES[0] }];
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
  const countOf = async (query: CallQuery) => (await list({ ...query, per_page: 1 }).expect(200)).body.total;

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
    const assistantId = accounts.assistantOf(ana, 1);
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
        const assistantId = accounts.assistantOf(ana, (i % 3) + 1);
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
    const read = async (query: CallQuery) => {
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
    const queries: CallQuery[] = [
      {},
      { status: 'completed' },
      { type: 'web', assistant_id: accounts.assistantOf(ana, 2) },
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
    await accounts.addCalls(ana.userId, 10, 2);
    await expect(
      database.run(async (tx) => {
        await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' }, tx);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect(await countOf({})).toBe(10);
  });

  it('leaves no empty counts behind', async () => {
    await accounts.addCalls(ana.userId, 30, 10);
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
