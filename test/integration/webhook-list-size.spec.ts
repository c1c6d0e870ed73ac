import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { type TestAccount, TestApp } from '../support/app.js';
import { type Plan, rowsOf } from '../support/plan-rows.js';

const DELIVERIES = 20_000;
/** Of another status and kind. */
const RARE = 20;

/** What counts is how many rows PostgreSQL looks at, which no load changes. */
describe(`the list of ${DELIVERIES} webhook deliveries`, () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    await app.query(
      `WITH endpoint AS (
         INSERT INTO webhook_endpoints (user_id, url, url_hash, host)
         VALUES ($1, 'https://example.com/', 'x', 'example.com') RETURNING id)
       INSERT INTO webhook_deliveries (user_id, endpoint_id, event_id, kind, subject_id, body, status, finished_at)
       SELECT $1, id, 'msg_' || n, CASE WHEN n > $3 THEN 'post-call' ELSE 'inbound' END, n::text, '{}',
         CASE WHEN n > $3 THEN 'delivered' ELSE 'failed' END, now()
       FROM endpoint, generate_series(1, $2::integer) AS n`,
      [owner.userId, DELIVERIES, RARE],
    );
    await app.query('ANALYZE webhook_deliveries');
  });
  afterAll(() => app.stop());

  it.each(['status=failed', 'kind=inbound', 'status=failed&kind=inbound'])(
    'finds and counts the few of %s by their index',
    async (filter) => {
      const sent = jest.spyOn(Client.prototype, 'query');
      const path = `/api/user/webhook-deliveries?per_page=10&${filter}`;
      const { body } = await app.as(owner).get(path).expect(200);
      const calls = sent.mock.calls as unknown as [string | object, unknown[]][];
      const asked = calls.flatMap(([sql, parameters]) =>
        typeof sql === 'string' && sql.includes('FROM "webhook_deliveries"') ? [{ sql, parameters }] : [],
      );
      sent.mockRestore();
      expect(body).toMatchObject({ total: RARE, from: 1, to: 10 });
      expect(asked.length).toBeGreaterThan(0);
      for (const { sql, parameters } of asked) {
        const [row] = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
          parameters,
        );
        expect(row && rowsOf(row['QUERY PLAN'][0].Plan)).toBeLessThan(3 * RARE);
      }
    },
  );
});
