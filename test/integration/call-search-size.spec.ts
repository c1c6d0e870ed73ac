import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { CallWordsService } from '../../src/modules/calls/search/call-words.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { type Plan, rowsOf } from '../support/plan-rows.js';

const CALLS = 20_000;
/** Calls that have a rare word. */
const RARE = 20;

interface Asked {
  readonly text?: string;
  readonly values?: unknown[];
}

/** What counts is how many rows PostgreSQL looks at, which no load changes. */
describe(`a search among ${CALLS} calls`, () => {
  let app: TestApp;
  let owner: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    other = await app.account();
    for (const { userId } of [owner, other]) {
      await app.query(
        `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, transcript, created_at)
         SELECT $1, 'Bia', CASE WHEN n % 2 = 0 THEN 'inbound' ELSE 'outbound' END, 'completed', '+55119' || 80000000 + n,
           'alô pedido ' || n || CASE WHEN n <= $3 THEN ' devolução' ELSE '' END, now() - make_interval(secs => n)
         FROM generate_series(1, $2::integer) n`,
        [userId, CALLS, RARE],
      );
    }
    await app.query('ANALYZE calls, call_words');
  }, 120_000);
  afterAll(() => app.stop());

  /** How many rows are read for the list, and its total. */
  async function rowsRead(query: Record<string, unknown>): Promise<{ rows: number; total: number }> {
    const sent = jest.spyOn(Client.prototype, 'query');
    const { body } = await app
      .as(owner)
      .get('/api/user/calls')
      .query({ per_page: 10, ...query })
      .expect(200);
    const asked = sent.mock.calls
      .map(([statement]) => statement as unknown as Asked)
      .filter(({ text }) => text?.includes('call_words'));
    sent.mockRestore();
    expect(asked).toHaveLength(1);
    let rows = 0;
    for (const { text, values } of asked) {
      const [row] = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      );
      if (row) rows += rowsOf(row['QUERY PLAN'][0].Plan);
    }
    return { rows, total: body.total };
  }

  it.each([
    [{ q: 'devolucao' }, RARE],
    [{ q: 'devolu' }, RARE],
    [{ q: 'alo pedido 17777' }, 1],
    [{ q: '80007777' }, 1],
    [{ q: '98000 devolucao' }, RARE],
    [{ q: 'devolucao', type: 'inbound' }, RARE / 2],
    [{ q: 'devolucao', phone_number: '+5511980000007' }, 1],
  ])('reads the found calls alone for %j', async (query, total) => {
    const read = await rowsRead(query);
    expect(read.total).toBe(total);
    // Each found call in the bitmap, in its row of words, in the list of found calls twice, and with a filter in its own row.
    expect(read.rows).toBeLessThan(6 * RARE + 40);
  });

  it('reads no call but those of the page where all calls have the word', async () => {
    const { rows, total } = await rowsRead({ q: 'pedido' });
    expect(total).toBe(CALLS);
    expect(rows).toBeLessThan(4 * CALLS + 40);
  });

  it('indexes the calls from before in batches, newest first, until none is left', async () => {
    const stored = () => app.query('SELECT call_id, created_at, words FROM call_words ORDER BY call_id');
    const before = await stored();
    await app.query('DELETE FROM call_words');
    await app.query('INSERT INTO call_words_backlog (before_id) SELECT max(id) + 1 FROM calls');
    const [changed] = await app.query<{ id: number }>(
      "UPDATE calls SET transcript = 'mudou' WHERE id = (SELECT min(id) FROM calls) RETURNING id",
    );
    const backlog = () => app.query<{ before_id: number }>('SELECT before_id FROM call_words_backlog');
    // A run ends after some seconds, so that a slow machine needs several.
    for (let left = await backlog(); left.length > 0; left = await backlog()) {
      const newest = left[0]!.before_id;
      await app.app.get(CallWordsService).indexBacklog();
      expect((await backlog())[0]?.before_id ?? 0).toBeLessThan(newest);
    }
    const after = await stored();
    expect(after).toHaveLength(before.length);
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(after[0]).toMatchObject({ call_id: changed?.id, words: expect.stringContaining('mudou') });
  }, 120_000);
});
