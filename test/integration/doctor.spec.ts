import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import type { Database } from '../../src/database/database.js';
import { databaseChecks } from '../../src/doctor/checks-of.js';
import { ClockCheck } from '../../src/doctor/database/clock.check.js';
import { runChecks } from '../../src/doctor/run-checks.js';
import { type TestAccount, TestApp, TEST_ENCRYPTION_KEY } from '../support/app.js';
import { emptyDatabase } from '../support/database.js';
import { LocalServer } from '../support/http-server.js';

/** What is said of a database, as one line each. */
async function findings(url: string, key = TEST_ENCRYPTION_KEY): Promise<string[]> {
  const environment = { DATABASE_URL: url, ENCRYPTION_KEY: key, DATA_DIR: tmpdir() };
  const found = await runChecks(databaseChecks(configFrom(parseEnvironment(environment)), url));
  return found.map(({ check, verdict, text }) => `${check} ${verdict}: ${text}`);
}

describe('the checks of a database', () => {
  let app: TestApp;
  let owner: TestAccount;
  let client: Client;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    await app.as(owner).post('/api/user/webhook-secret/rotate').expect(200);
    client = new Client({ connectionString: app.database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await app.stop();
  });

  const problems = async (url = app.database.url, key?: string) =>
    (await findings(url, key)).filter((line) => !/^\w+ ok: /.test(line));

  it('find none in the database of a running Prosa', async () => {
    expect(await findings(app.database.url)).toEqual([
      expect.stringMatching(/^database ok: PostgreSQL \d+/),
      expect.stringMatching(/^rights ok/),
      expect.stringMatching(/^release ok/),
      expect.stringMatching(/^key ok: .*all stored ones open/),
      expect.stringMatching(/^clock ok/),
    ]);
  });

  it('find none in an empty database, and leave it empty', async () => {
    const empty = await emptyDatabase();
    expect(await problems(empty.url)).toEqual([]);
    const other = new Client({ connectionString: empty.url });
    await other.connect();
    const { rows } = await other.query(
      "SELECT count(*)::int AS tables FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    );
    await other.end();
    await empty.drop();
    expect(rows).toEqual([{ tables: 0 }]);
  });

  it('name the key that is missing, and record none', async () => {
    const before = await client.query('SELECT id FROM encryption_keys ORDER BY id');
    const other = randomBytes(32).toString('base64');
    const found = await problems(app.database.url, other);
    expect(found).toEqual([
      expect.stringMatching(/^key failure: Stored secrets need the key .*set ENCRYPTION_KEY/),
    ]);
    expect(found.join()).not.toContain(other);
    expect((await client.query('SELECT id FROM encryption_keys ORDER BY id')).rows).toEqual(before.rows);
  });

  it('find a database that is older than the release', async () => {
    const { rows } = await client.query(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING *',
    );
    expect(await problems()).toEqual([
      expect.stringMatching(/^release warning: .*behind .* by 1 changes: make a backup/),
    ]);
    const [{ id, timestamp, name }] = rows;
    await client.query('INSERT INTO migrations (id, timestamp, name) VALUES ($1, $2, $3)', [
      id,
      timestamp,
      name,
    ]);
  });

  it('find a database of a newer release that this one does not run on', async () => {
    await client.query(
      "INSERT INTO migrations (timestamp, name) VALUES (9000000000000, 'Later9000000000000')",
    );
    await client.query("INSERT INTO database_releases (version) VALUES ('99.0.0')");
    expect(await problems()).toEqual([
      expect.stringMatching(/^release failure: Prosa 99\.0\.0 has prepared/),
    ]);
    await client.query("DELETE FROM migrations WHERE name = 'Later9000000000000'");
    await client.query("DELETE FROM database_releases WHERE version = '99.0.0'");
  });

  it('find a role that cannot read and write, and name what prepares for one that cannot change the schema', async () => {
    const [{ database }] = (await client.query('SELECT current_database() AS database')).rows;
    await client.query('REVOKE INSERT ON calls, leads FROM CURRENT_USER');
    expect(await problems()).toEqual([
      expect.stringMatching(/^rights failure: .*cannot read and write 2 tables.*connect-postgresql/),
    ]);
    await client.query('GRANT INSERT ON calls, leads TO CURRENT_USER');
    await client.query(`REVOKE CREATE ON DATABASE ${database} FROM CURRENT_USER`);
    expect(await findings(app.database.url)).toContainEqual(
      expect.stringMatching(/^rights ok: .*npm run migrate prepares/),
    );
    await client.query(`GRANT CREATE ON DATABASE ${database} TO CURRENT_USER`);
  });
});

describe('the check of clocks', () => {
  /** Of a database whose clock is ahead by so much. */
  const databaseAhead = (ms: number) =>
    ({ query: async () => [{ ms: Date.now() + ms }] }) as unknown as Database;
  const verdictOf = async (ms: number, endpoint?: string) =>
    (await new ClockCheck((work) => work(databaseAhead(ms)), endpoint).run()).map(({ verdict }) => verdict);

  it.each([
    [0, 'ok'],
    [-20_000, 'warning'],
    [6 * 60_000, 'failure'],
  ])('says of a database whose clock is %d ms ahead: %s', async (ms, verdict) => {
    expect(await verdictOf(ms)).toEqual([verdict]);
  });

  it('reads the clock of the storage from an answer that refuses it, and passes over one that is away', async () => {
    const server = await LocalServer.start((_, response) => {
      response.writeHead(403, { Date: new Date(Date.now() - 20 * 60_000).toUTCString() }).end();
    });
    expect(await verdictOf(0, server.url)).toEqual(['ok', 'failure']);
    await server.stop();
    expect(await verdictOf(0, server.url)).toEqual(['ok']);
  });
});
