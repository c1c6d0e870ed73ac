import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { Client } from 'pg';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { emptyDatabase } from '../support/database.js';
import { buildProduct } from '../support/prosa-process.js';

const shell = promisify(execFile);
const PASSWORD = 'correct horse battery';
/** More than two pages. */
const MANY = 1_203;

type Row = Record<string, string>;

interface Entry {
  readonly action: string;
  readonly resource_id: string | null;
  readonly status: number | null;
}

describe('the audit log and the commands of the operator', () => {
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    await buildProduct();
    app = await TestApp.start();
    folder = await mkdtemp(join(tmpdir(), 'prosa-audit-log-'));
  }, 180_000);
  afterAll(async () => {
    await app.stop();
    await rm(folder, { recursive: true });
  });

  async function run(command: string, args: readonly string[], more: Record<string, string> = {}) {
    const { PATH = '', HOME = '' } = process.env;
    const env = {
      PATH,
      HOME,
      DATABASE_URL: app.database.url,
      DATA_DIR: folder,
      ENCRYPTION_KEY: 'A'.repeat(43) + '=',
      ...more,
    };
    try {
      const { stdout } = await shell(process.execPath, [`dist/cli/${command}.js`, ...args], {
        env,
        maxBuffer: 16_000_000,
      });
      return { code: 0, out: stdout, err: '' };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout, err: stderr.trim() };
    }
  }
  const account = async (...args: string[]) => {
    const { code, out, err } = await run('account', args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  };
  const entriesOf = (userId: number | null) =>
    app.query<Entry>(
      `SELECT action, resource_id, status FROM audit_log_entries
       WHERE via = 'operator' AND user_id IS NOT DISTINCT FROM $1::integer
         AND num_nonnulls(token_id, member_id, network, reason) = 0 ORDER BY created_at`,
      [userId],
    );
  const csvOf = async (...args: string[]) => {
    const { code, out, err } = await run('audit-log', args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return parse<Row>(out, { bom: true, columns: true });
  };

  it('has one entry of each command that changes an account, and none of one that reads', async () => {
    await account('create', 'eva@example.com', '--name', 'Eva', '--password', PASSWORD);
    const [{ id } = { id: 0 }] = await app.query<{ id: number }>(
      "SELECT id FROM users WHERE email = 'eva@example.com'",
    );
    await account('set', 'eva@example.com', '--timezone', 'Europe/Lisbon', '--max-tools', '7');
    await account('key', 'eva@example.com', '--name', 'Segunda chave');
    await account('plan', 'eva@example.com', '--plan', 'unlimited');
    await account('password', 'eva@example.com');
    await account('password-link', 'eva@example.com');
    await account('sign-in-link', 'eva@example.com');
    await account('credit', 'eva@example.com', '--amount', '2.50');
    await account('export', 'eva@example.com', join(folder, 'eva.tar.gz'));
    await account('show', 'eva@example.com');
    await account('list');
    const [key] = await app.query<{ id: number }>(
      "SELECT id FROM api_keys WHERE user_id = $1 AND name = 'Segunda chave'",
      [id],
    );
    expect(await entriesOf(id)).toEqual([
      { action: 'account.create', resource_id: String(id), status: 200 },
      { action: 'account.set', resource_id: null, status: 200 },
      { action: 'account.key', resource_id: String(key?.id), status: 200 },
      { action: 'account.plan', resource_id: null, status: 200 },
      { action: 'account.password', resource_id: null, status: 200 },
      { action: 'account.password-link', resource_id: null, status: 200 },
      { action: 'account.sign-in-link', resource_id: null, status: 200 },
      { action: 'account.credit', resource_id: null, status: 200 },
      { action: 'account.export', resource_id: null, status: 200 },
    ]);
    const rows = await app.query<{ row: string }>('SELECT to_jsonb(e)::text AS row FROM audit_log_entries e');
    for (const { row } of rows) expect(row).not.toMatch(/prosa_|correct horse|@|Eva|Lisbon/);
  }, 120_000);

  it('shows the owner commands for the own account, and links for a member by the id of the member', async () => {
    const owner = await app.account();
    const email = `m-${owner.email}`;
    const [{ id } = { id: 0 }] = await app.query<{ id: number }>(
      `INSERT INTO members (user_id, email, name, role, password_hash)
       VALUES ($1, $2, 'Bia', 'viewer', 'x') RETURNING id`,
      [owner.userId, email],
    );
    await account('sign-in-link', email);
    await account('password-link', email);
    const { body } = await app.as(owner).get('/api/user/audit-log').expect(200);
    const entry = { via: 'operator', resource_id: String(id), token_id: null, network: null, status: 200 };
    expect(body.data).toEqual([
      expect.objectContaining({ ...entry, action: 'account.password-link' }),
      expect.objectContaining({ ...entry, action: 'account.sign-in-link' }),
    ]);
  }, 60_000);

  it('has commands that failed, and nothing of mistakes in the command itself', async () => {
    const owner = await app.account();
    expect((await run('account', ['set', owner.email, '--timezone', 'Mars/Olympus'])).code).toBe(1);
    expect((await run('account', ['plan', owner.email, '--plan', 'gold'])).code).toBe(1);
    expect((await run('account', ['credit', owner.email, '--amount', 'much'])).code).toBe(1);
    expect((await run('account', ['export', owner.email, join(folder, 'away', 'x')])).code).toBe(1);
    expect(await entriesOf(owner.userId)).toEqual([
      { action: 'account.export', resource_id: null, status: 500 },
    ]);
  }, 60_000);

  it('keeps deletions of accounts, by their id, with the commands for no account', async () => {
    const before = (await entriesOf(null)).length;
    const small = await app.account();
    await createAssistant(app, small);
    expect((await run('account', ['delete', small.email])).code).toBe(1);
    await account('delete', small.email, '--force');
    const rich = await app.account({ balanceUsd: 5 });
    await account('delete', rich.email, '--force');
    expect((await entriesOf(null)).slice(before)).toEqual([
      { action: 'account.delete', resource_id: String(small.userId), status: 200 },
      { action: 'account.delete', resource_id: String(rich.userId), status: 200 },
    ]);
  }, 60_000);

  it('has a change of the vector index', async () => {
    const embeddings = { EMBEDDINGS_MODEL: 'test-model', EMBEDDINGS_DIMENSIONS: '8' };
    const { code, err } = await run('vector-index', [], embeddings);
    const isThere = !err.includes('offers no pgvector');
    expect({ code, err: isThere ? err : '' }).toEqual({ code: isThere ? 0 : 1, err: '' });
    const entries = (await entriesOf(null)).filter(({ action }) => action === 'vector-index');
    expect(entries).toEqual(isThere ? [{ action: 'vector-index', resource_id: null, status: 200 }] : []);
  }, 60_000);

  it.each<[command: string, args: readonly string[]]>([
    ['audit-log', []],
    ['after-restore', ['--list']],
  ])(
    'leaves a database that is not up to date as it is, where %s only reads',
    async (command, args) => {
      const database = await emptyDatabase();
      const client = new Client({ connectionString: database.url });
      await client.connect();
      try {
        const outcome = await run(command, args, { DATABASE_URL: database.url, PROSA_PAUSED: '1' });
        expect(outcome).toEqual({
          code: 1,
          out: '',
          err: expect.stringMatching(
            /^The database is older than this release, .* run npm run migrate first/,
          ),
        });
        const { rows } = await client.query("SELECT to_regclass('migrations') AS migrations");
        expect(rows).toEqual([{ migrations: null }]);
      } finally {
        await client.end();
        await database.drop();
      }
    },
    60_000,
  );

  describe('npm run audit-log', () => {
    let owner: TestAccount;

    beforeAll(async () => {
      owner = await app.account();
      await app.query(
        `INSERT INTO audit_log_entries (id, user_id, via, token_id, action, resource_id, status, created_at)
         SELECT gen_random_uuid(), $1, 'session', 1, 'deleteLead', n, 200,
           '2026-03-01T23:59:58Z'::timestamptz + (n / 3) * interval '1 millisecond'
         FROM generate_series(1, $2) AS n`,
        [owner.userId, MANY],
      );
      await app.query(
        `INSERT INTO audit_log_entries (id, user_id, via, action, status, created_at)
         VALUES (gen_random_uuid(), NULL, 'operator', 'restore', 200, '2026-03-02T00:00:00Z')`,
      );
    });

    it('prints all entries of one account, newest first', async () => {
      const rows = await csvOf('--email', owner.email.toUpperCase());
      const moments = rows.map(({ created_at }) => Date.parse(created_at ?? ''));
      expect(moments).toEqual(moments.toSorted((one, other) => other - one));
      expect(new Set(rows.map(({ id }) => id)).size).toBe(MANY);
      expect(rows[0]).toMatchObject({
        account_id: String(owner.userId),
        action: 'deleteLead',
        status: '200',
        via: 'session',
        token_id: '1',
        created_at: '2026-03-01T23:59:58.401Z',
      });
    }, 60_000);

    it('prints commands for no account, and those of all accounts, of days of UTC', async () => {
      const days = ['--from', '2026-03-02', '--to', '2026-03-02'];
      const restore = { account_id: '', action: 'restore', via: 'operator' };
      expect(await csvOf('--installation', ...days)).toEqual([expect.objectContaining(restore)]);
      expect((await csvOf('--installation')).every(({ account_id }) => account_id === '')).toBe(true);
      const all = await csvOf('--from', '2026-03-01', '--to', '2026-03-02');
      expect(all).toHaveLength(MANY + 1);
      expect(all[0]).toMatchObject(restore);
      expect((await csvOf('--from', '2026-03-02', '--email', owner.email)).length).toBe(0);
    }, 60_000);

    it('writes JSON, one object a line, into a new file that this user alone may read', async () => {
      const path = join(folder, 'log.ndjson');
      const args = ['--email', owner.email, '--format', 'json', '--output', path];
      expect(await run('audit-log', args)).toEqual({ code: 0, out: '', err: '' });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
      expect(lines).toHaveLength(MANY);
      expect(JSON.parse(lines[0] ?? '')).toMatchObject({
        account_id: owner.userId,
        action: 'deleteLead',
        status: 200,
        member_id: null,
      });
      expect(await run('audit-log', args)).toEqual({
        code: 1,
        out: '',
        err: `There is a file ${path} already: choose another name, or delete it.`,
      });
      const away = join(folder, 'away', 'log.csv');
      expect((await run('audit-log', ['--output', away])).err).toBe(
        `Nothing can be written into ${join(folder, 'away')}: there is no such folder.`,
      );
    }, 60_000);

    it('ends without an error when its reader has read enough', async () => {
      const { PATH = '', HOME = '' } = process.env;
      const env = { PATH, HOME, DATABASE_URL: app.database.url, ENCRYPTION_KEY: 'A'.repeat(43) + '=' };
      const command = `set -o pipefail; "${process.execPath}" dist/cli/audit-log.js --format json | head -1`;
      const { stdout, stderr } = await shell('bash', ['-c', command], { env });
      expect(stderr).toBe('');
      expect(stdout.split('\n')).toHaveLength(2);
    }, 60_000);

    it.each<[sentence: RegExp, ...args: string[]]>([
      [/^--from must be a day, such as 2026-01-31$/, '--from', '2026-02-30'],
      [/^--to must be a day/, '--to', 'today'],
      [/^--format must be one of: csv, json$/, '--format', 'xml'],
      [/^Give --email or --installation, not both\.$/, '--installation', '--email', 'a@example.com'],
      [/^There is no account unknown@example\.com\.$/, '--email', 'unknown@example.com'],
    ])('says %s in a sentence', async (sentence, ...args) => {
      const { code, out, err } = await run('audit-log', args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(sentence);
    });
  });
});
