import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type Logger } from 'typeorm';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { type Plan, rowsOf } from '../support/plan-rows.js';

const LARGE = 100_000;
const SMALL = 100;
/** A statement for all would meet the limit on statements on a busy machine. */
const SEEDED_AT_ONCE = 10_000;
const PER_PAGE = 25;
/** A row and its assistant for each line of the screen, and some. */
const MORE_THAN_A_SCREEN = 3 * PER_PAGE;

/** A long history must not make an inbox slow: what counts is how many rows PostgreSQL looks at, which no load changes. */
describe('an inbox of 100,000 conversations', () => {
  let app: TestApp;
  const accounts = new Map<number, TestAccount>();
  const statements: { sql: string; parameters: unknown[] }[] = [];

  beforeAll(async () => {
    app = await TestApp.start();
    for (const size of [LARGE, SMALL]) {
      const account = await app.account();
      const { id } = await createAssistant(app, account);
      for (let first = 1; first <= size; first += SEEDED_AT_ONCE) {
        await seed(account, id, first, Math.min(size, first + SEEDED_AT_ONCE - 1));
      }
      accounts.set(size, account);
    }
    await app.query('ANALYZE conversations, messages, conversation_words');
    const logQuery = (sql: string, parameters: unknown[] = []) => void statements.push({ sql, parameters });
    const nothing = () => undefined;
    const logger: Logger = {
      logQuery,
      logQueryError: nothing,
      logQuerySlow: nothing,
      logSchemaBuild: nothing,
      logMigration: nothing,
      log: nothing,
    };
    app.app.get(DataSource).setOptions({ logging: ['query'] });
    Object.assign(app.app.get(DataSource), { logger });
  }, 120_000);
  afterAll(() => app.stop());

  /** Most are over; each hundredth waits for a person, is unread and is in a person's hands. */
  async function seed(
    { userId }: TestAccount,
    assistantId: number,
    first: number,
    last: number,
  ): Promise<void> {
    await app.query(
      `WITH added AS (
         INSERT INTO conversations (id, user_id, assistant_id, type, variables, message_count, last_message, last_author,
           last_message_at, created_at, ended_at, ai_enabled, unread_count, waiting_since)
         SELECT gen_random_uuid(), $1, $2, 'widget', '{}', 2, 'Olá', 'customer',
           now() - make_interval(secs => n), now() - make_interval(secs => n + 60),
           CASE WHEN n % 100 > 1 THEN now() END, n % 100 <> 0, CASE WHEN n % 100 = 0 THEN 1 ELSE 0 END,
           CASE WHEN n % 100 = 0 THEN now() END
         FROM generate_series($3::integer, $4::integer) n RETURNING id)
       INSERT INTO messages (conversation_id, user_id, role, author, content)
       SELECT id, $1, 'user', 'customer', 'pedido ' || $3 - 1 + row_number() OVER () FROM added`,
      [userId, assistantId, first, last],
    );
  }

  /** How many rows are read for a request, in all of its statements about conversations. */
  async function rowsRead(
    size: number,
    query: Record<string, unknown>,
  ): Promise<{ rows: number; found: number }> {
    const account = accounts.get(size);
    if (!account) throw new Error(`no account of ${size}`);
    statements.length = 0;
    const { body } = await app.as(account).get('/api/user/conversations').query(query).expect(200);
    let rows = 0;
    for (const { sql, parameters } of statements.filter((each) => each.sql.includes('"conversations"'))) {
      const [row] = await app.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
        parameters,
      );
      if (row) rows += rowsOf(row['QUERY PLAN'][0].Plan);
    }
    expect(rows).toBeGreaterThan(0);
    return { rows, found: body.data.length };
  }

  it.each([
    ['as it opens', {}],
    ['what is open', { state: 'open' }],
    ['what the AI has', { state: 'ai' }],
    ['what people have', { state: 'human' }],
    ['who waits', { state: 'waiting' }],
    ['what is over', { state: 'ended' }],
    ['what is unread', { unread: 'true' }],
    ['by time of creation', { sort: 'created' }],
  ])('shows %s for the work of a screen, as one of 100 does', async (_name, query) => {
    const ask = (size: number) => rowsRead(size, { sort: 'activity', per_page: PER_PAGE, ...query });
    const [small, large] = [await ask(SMALL), await ask(LARGE)];
    expect(large.found).toBeGreaterThan(0);
    expect(Math.abs(large.rows - small.rows)).toBeLessThan(MORE_THAN_A_SCREEN);
    expect(large.rows).toBeLessThan(MORE_THAN_A_SCREEN);
  });

  it('shows the screen in the middle for the work of a screen', async () => {
    const account = accounts.get(LARGE);
    if (!account) throw new Error('no account');
    const id = '00000000-0000-4000-8000-000000000000';
    const at = new Date(Date.now() - 50_000_000).toISOString();
    const cursor = Buffer.from(JSON.stringify(['next', at, id, 'activity'])).toString('base64url');
    const { rows, found } = await rowsRead(LARGE, { sort: 'activity', per_page: PER_PAGE, cursor });
    expect(found).toBe(PER_PAGE);
    expect(rows).toBeLessThan(MORE_THAN_A_SCREEN);
  });

  it('finds a word for the work of those that have it', async () => {
    const { rows, found } = await rowsRead(LARGE, { sort: 'activity', q: 'pedido 77777' });
    expect(found).toBe(1);
    expect(rows).toBeLessThan(MORE_THAN_A_SCREEN);
  });
});
