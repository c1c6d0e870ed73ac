import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { lengthOf } from '../support/length.js';
import type { Plan } from '../support/plan-rows.js';
import { until } from '../support/until.js';

const CALLS = lengthOf(20_000, 1_000_000);
/** A statement for all would meet the limit on statements on a busy machine. */
const SEEDED_AT_ONCE = 20_000;
const QUERY = 'from=2026-03-01&to=2026-03-30';

interface Asked {
  readonly text: string;
  readonly values: unknown[];
}

const scansOf = (plan: Plan): Plan[] => [
  ...(plan['Node Type'].includes('Scan') ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
];

/** Index-only scans need pages that are visible to all: none whose commits are not on the disk yet. */
async function vacuumCalls(app: TestApp): Promise<void> {
  await until(async () => {
    await app.query('VACUUM ANALYZE calls');
    const [table] = await app.query<{ isVisible: boolean }>(
      'SELECT relallvisible = relpages AS "isVisible" FROM pg_class WHERE oid = \'calls\'::regclass',
    );
    return table?.isVisible ?? false;
  }, 60_000);
}

/** The scans of calls in each statement of a request. */
async function scansFor(
  app: TestApp,
  owner: TestAccount,
  path: string,
): Promise<{ text: string; scans: Plan[] }[]> {
  const sent = jest.spyOn(Client.prototype, 'query');
  await app.as(owner).get(path).expect(200);
  const asked = sent.mock.calls
    .map(([statement]) => statement as unknown as Asked)
    .filter(({ text }) => /FROM calls\b/.test(text ?? ''));
  sent.mockRestore();
  return Promise.all(
    asked.map(async ({ text, values }) => {
      const [row] = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      const scans = row ? scansOf(row['QUERY PLAN'][0].Plan) : [];
      return { text, scans: scans.filter((scan) => scan['Relation Name'] === 'calls') };
    }),
  );
}

/** What counts is which rows PostgreSQL looks at, and where, which no load changes. */
describe(`analytics of ${CALLS} calls`, () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    const { id } = await createAssistant(app, owner);
    await app.query('ALTER TABLE calls DISABLE TRIGGER USER');
    for (let first = 0; first < CALLS; first += SEEDED_AT_ONCE) {
      await app.query(
        `INSERT INTO calls (user_id, assistant_name, assistant_id, type, status, created_at, duration_seconds,
           carrier_cost_micros, ai_cost_micros, quality, transcript, input_tokens, cached_input_tokens, output_tokens)
         SELECT $1, 'Loja', $2, 'outbound', (ARRAY['completed', 'busy', 'no-answer', 'completed'])[1 + n % 4],
           timestamptz '2026-03-01 12:00Z' + n * interval '29 days' / $5::integer, n % 60, 12000, 60000,
           jsonb_build_object('turns', jsonb_build_array(jsonb_build_object('response_ms', 1 + abs(hashint4(n)) % 1000))),
           repeat(md5(n::text), 40), 1000, nullif(n % 2, 0) * 600, 50
         FROM generate_series($3::integer, $4::integer) n`,
        [owner.userId, id, first, Math.min(CALLS, first + SEEDED_AT_ONCE) - 1, CALLS],
      );
    }
    await app.query('ALTER TABLE calls ENABLE TRIGGER USER');
    await vacuumCalls(app);
  }, 600_000);
  afterAll(() => app.stop());

  it.each(['day', 'assistant', 'campaign'])(
    'by %s counts in the index alone, and reads 10,000 calls at most',
    async (groupBy) => {
      const asked = await scansFor(app, owner, `/api/user/analytics?${QUERY}&group_by=${groupBy}`);
      expect(asked).toHaveLength(2);
      for (const { text, scans } of asked) {
        expect(scans.length).toBeGreaterThan(0);
        for (const scan of scans) {
          const rows = scan['Actual Rows'] * scan['Actual Loops'];
          const isIndexOnly = scan['Node Type'] === 'Index Only Scan';
          expect(isIndexOnly || rows <= 10_000 ? '' : `${rows} rows by ${JSON.stringify(scan)}`).toBe('');
          if (!text.includes('quality')) expect(scan['Index Name']).toBe('calls_user_id_idx');
        }
      }
    },
    120_000,
  );

  it('tells exact sums, and waits of every n-th call', async () => {
    const { body } = await app.as(owner).get(`/api/user/analytics?${QUERY}`).expect(200);
    expect(body.totals.calls).toMatchObject({
      count: CALLS,
      by_status: { completed: CALLS / 2, busy: CALLS / 4, 'no-answer': CALLS / 4 },
      carrier_cost: (CALLS * 12) / 1_000,
      total_cost: (CALLS * 72) / 1_000,
      tokens: { input: CALLS * 1_000, cached_input: CALLS * 300, output: CALLS * 50, counted: CALLS },
    });
    const { p50, p95, calls, every_nth: everyNth } = body.totals.calls.response_ms;
    expect(everyNth).toBe(CALLS / 10_000);
    expect(calls).toBe(10_000);
    expect(Math.abs(p50 - 500)).toBeLessThan(30);
    expect(Math.abs(p95 - 950)).toBeLessThan(30);
  }, 120_000);
});

const INBOUND_CALLS = lengthOf(20_000, 200_000);

/** The waits must not be read from the calls: one in ten callers waited. */
describe(`analytics of ${INBOUND_CALLS} inbound calls`, () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    await app.query('ALTER TABLE calls DISABLE TRIGGER USER');
    for (let first = 0; first < INBOUND_CALLS; first += SEEDED_AT_ONCE) {
      await app.query(
        `INSERT INTO calls (user_id, assistant_name, type, status, created_at, assistant_phone_number, transcript, routing)
         SELECT $1, CASE WHEN n % 40 = 0 THEN '' ELSE 'Loja' END, 'inbound', 'completed',
           timestamptz '2026-03-01 12:00Z' + n * interval '29 days' / $4::integer, '+5511300000' || n % 20,
           repeat(md5(n::text), 40),
           jsonb_build_object('branch', 'open', 'action', 'assistant', 'reason', null)
             || CASE WHEN n % 10 = 0 THEN jsonb_build_object('waitedMs', abs(hashint4(n)) % 100000) ELSE '{}' END
         FROM generate_series($2::integer, $3::integer) n`,
        [owner.userId, first, Math.min(INBOUND_CALLS, first + SEEDED_AT_ONCE) - 1, INBOUND_CALLS],
      );
    }
    await app.query('ALTER TABLE calls ENABLE TRIGGER USER');
    await vacuumCalls(app);
  }, 600_000);
  afterAll(() => app.stop());

  it.each(['number', 'day', 'hour'])(
    'by %s counts in one index, and waits in another one of waits alone',
    async (groupBy) => {
      const asked = await scansFor(app, owner, `/api/user/analytics/inbound?${QUERY}&group_by=${groupBy}`);
      expect(asked).toHaveLength(2);
      for (const { text, scans } of asked) {
        expect(scans).toMatchObject([{ 'Node Type': 'Index Only Scan' }]);
        const isOfWaits = text.includes('percentile_disc');
        expect(scans[0]?.['Index Name']).toBe(isOfWaits ? 'calls_waited_idx' : 'calls_inbound_idx');
        expect(scans[0]?.['Actual Rows']).toBe(isOfWaits ? INBOUND_CALLS / 10 : INBOUND_CALLS);
      }
    },
    120_000,
  );

  it('has percentiles of all waits', async () => {
    const { body } = await app.as(owner).get(`/api/user/analytics/inbound?${QUERY}`).expect(200);
    const { waited, abandoned, abandoned_share: share } = body.totals;
    expect(body.totals.count).toBe(INBOUND_CALLS);
    expect({ count: waited.count, abandoned, share }).toEqual({
      count: INBOUND_CALLS / 10,
      abandoned: INBOUND_CALLS / 40,
      share: 0.25,
    });
    expect(Math.abs(waited.p50_ms - 50_000)).toBeLessThan(3_000);
    expect(Math.abs(waited.p95_ms - 95_000)).toBeLessThan(3_000);
  }, 120_000);
});

const CONVERSATIONS = 100_000;

describe(`analytics of one account among ${CONVERSATIONS} conversations`, () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    const neighbour = await app.account();
    await app.query(
      `INSERT INTO conversations (id, user_id, type, created_at, message_count, input_tokens, output_tokens)
       SELECT gen_random_uuid(), CASE WHEN n % 20 = 0 THEN $1::integer ELSE $2 END, 'widget',
         timestamptz '2026-03-01 12:00Z' + n * interval '290 days' / $3::integer, 4, 10, 1
       FROM generate_series(0, $3::integer - 1) n`,
      [owner.userId, neighbour.userId, CONVERSATIONS],
    );
    await app.query('ANALYZE conversations');
  }, 120_000);
  afterAll(() => app.stop());

  it.each(['day', 'assistant'])('by %s looks at its own of these days alone', async (groupBy) => {
    const sent = jest.spyOn(Client.prototype, 'query');
    const { body } = await app.as(owner).get(`/api/user/analytics?${QUERY}&group_by=${groupBy}`).expect(200);
    const asked = sent.mock.calls
      .map(([statement]) => statement as unknown as Asked)
      .find(({ text }) => /FROM conversations\b/.test(text ?? '') && text.includes('input_tokens'));
    sent.mockRestore();
    const { count, tokens } = body.totals.conversations;
    expect(count).toBeGreaterThan(400);
    expect(tokens).toEqual({ input: 10 * count, cached_input: null, output: count, counted: count });
    const [row] = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${asked?.text}`,
      asked?.values,
    );
    const scans = row ? scansOf(row['QUERY PLAN'][0].Plan) : [];
    expect(scans.length).toBeGreaterThan(0);
    for (const scan of scans) {
      expect(scan['Node Type']).not.toBe('Seq Scan');
      expect(scan['Actual Rows'] * scan['Actual Loops']).toBe(count);
    }
  });
});
