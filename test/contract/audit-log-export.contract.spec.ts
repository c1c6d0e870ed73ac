import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { type TestAccount, TestApp } from '../support/app.js';

const EXPORT = '/api/user/audit-log/export';
/** More than one batch, in threes of the very same moment. */
const ROWS = 620;

type Row = Record<string, string>;

describe('The export of the audit log', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
  }, 60_000);
  beforeEach(async () => {
    owner = await app.account();
  });
  afterAll(() => app.stop());

  const addEntries = (userId: number | null, rows: number, action = 'deleteLead', via = 'session') =>
    app.query(
      `INSERT INTO audit_log_entries (id, user_id, via, token_id, network, action, resource_id, status, created_at)
       SELECT gen_random_uuid(), $1, $4, 1, '203.0.113.0/24', $2, n, 200,
         '2026-03-01T12:00:00Z'::timestamptz + (n / 3) * interval '1 millisecond'
       FROM generate_series(1, $3) AS n`,
      [userId, action, rows, via],
    );
  const download = async (query = '') => {
    const { headers, text } = await app
      .as(owner)
      .get(EXPORT + query)
      .buffer(true)
      .expect(200);
    return { headers, text, rows: parse<Row>(text, { bom: true, columns: true }) };
  };
  const list = async () => {
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/api/user/audit-log?limit=200&cursor=${cursor}`;
      const { body } = await app.as(owner).get(path).expect(200);
      ids.push(...body.data.map(({ id }: Row) => id));
      cursor = body.next_cursor;
    }
    return ids;
  };

  it('has every entry once, newest first, as the list has them', async () => {
    await addEntries(owner.userId, ROWS);
    const { headers, text, rows } = await download();
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-log.csv"',
    });
    expect(text.startsWith('\uFEFF"id","created_at","action","status","via"')).toBe(true);
    expect(rows.map(({ id }) => id)).toEqual(await list());
    expect(rows).toHaveLength(ROWS);
    expect(rows.at(-1)).toMatchObject({
      created_at: '2026-03-01T12:00:00.000Z',
      action: 'deleteLead',
      status: '200',
      via: 'session',
      token_id: '1',
      member_id: '',
      member_name: '',
      network: '203.0.113.0/24',
      reason: '',
    });
  });

  it('names members, as long as they are there', async () => {
    await app.query(
      `INSERT INTO members (user_id, email, name, role, password_hash) VALUES ($1, $2, '=Bia', 'viewer', 'x')`,
      [owner.userId, `m${owner.userId}@example.com`],
    );
    await app.query(
      `INSERT INTO audit_log_entries (id, user_id, via, member_id, action, status)
       SELECT gen_random_uuid(), user_id, 'session', id + n, 'login', 200
       FROM members, generate_series(0, 1) n WHERE user_id = $1`,
      [owner.userId],
    );
    const names = (await download()).rows.map(({ member_name }) => member_name ?? '');
    // No spreadsheet runs the name as a formula.
    expect(new Set(names)).toEqual(new Set(['', "'=Bia"]));
  });

  it('has what the filters of the list let through', async () => {
    await addEntries(owner.userId, 3);
    await addEntries(owner.userId, 2, 'account.set', 'operator');
    expect((await download('?action=account.set')).rows.map(({ via }) => via)).toEqual([
      'operator',
      'operator',
    ]);
    expect((await download('?date_from=2026-03-01&date_to=2026-03-01')).rows).toHaveLength(5);
    expect((await download('?date_to=2026-02-28')).rows).toEqual([]);
    await app.as(owner).get(`${EXPORT}?date_from=yesterday`).expect(422);
  });

  it('has the own account alone, as the list: neither others nor commands for no account', async () => {
    const other = await app.account();
    await addEntries(other.userId, 2);
    await addEntries(null, 2, 'restore', 'operator');
    await addEntries(owner.userId, 1, 'account.plan', 'operator');
    expect((await download()).rows.map(({ action }) => action)).toEqual(['account.plan']);
    expect(await list()).toHaveLength(1);
  });

  it('is refused to a key without the scope of the list, and without a key', async () => {
    const { body } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: 'Leitura', scopes: ['read'] })
      .expect(201);
    const { token } = body.api_key;
    await app.as({ token }).get('/api/user/audit-log').expect(403);
    await app.as({ token }).get(EXPORT).expect(403);
    await app.http.get(EXPORT).expect(401);
  });
});
