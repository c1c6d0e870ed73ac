import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import { TestApp } from '../support/app.js';
import { addMember, createAssistant } from '../support/builders.js';
import { tellingOf } from '../support/loaded-modules.js';
import { waitsForLock } from '../support/lock-waits.js';
import { buildProduct } from '../support/prosa-process.js';

const shell = promisify(execFile);
const PASSWORD = 'correct horse battery';
/** What only the whole application needs. */
const HEAVY = /dist\/app\.module|bullmq|livekit/;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The command while a server runs on the same database. */
describe('npm run account', () => {
  let app: TestApp;
  let watched: string;

  beforeAll(async () => {
    await buildProduct();
    watched = await tellingOf(HEAVY, 'LOADED');
    app = await TestApp.start();
    await app.account({ balanceUsd: 2.5 });
  }, 180_000);
  afterAll(() => app.stop());

  async function run(args: readonly string[], databaseUrl = app.database.url): Promise<Outcome> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, DATABASE_URL: databaseUrl, ENCRYPTION_KEY: 'A'.repeat(43) + '=' };
    try {
      const { stdout, stderr } = await shell(
        process.execPath,
        ['--import', watched, 'dist/cli/account.js', ...args],
        { env },
      );
      return { code: 0, out: stdout.trim(), err: stderr.trim() };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, out: stdout.trim(), err: stderr.trim() };
    }
  }
  const account = (...args: string[]) => run(args);
  const done = async (...args: string[]) => {
    const { code, out, err } = await account(...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out;
  };

  it('lists its commands for --help, without a database', async () => {
    const { code, out, err } = await run(['--help'], 'postgres://127.0.0.1:1/nothing');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of [
      'list',
      'show',
      'create',
      'set',
      'delete',
      'credit',
      'key',
      'password',
      'password-link',
      'plan',
      'export',
    ])
      expect(out).toMatch(new RegExp(`^  ${command} `, 'm'));
  }, 30_000);

  it('makes, shows, changes and deletes an account, without loading the application', async () => {
    const created = await done('create', '--email', 'Bia@example.com', '--name', 'Bia', '--country', 'pt');
    const token = /prosa_\w{36}/.exec(created)?.[0] ?? '';
    await app.as({ token }).get('/api/user/me').expect(200);

    await done(
      'set',
      '--email=bia@example.com',
      '--timezone=Europe/Lisbon',
      '--max-tools=20',
      '--max-calls-per-second=2.5',
      '--max-sip-trunks=30',
      `--password=${PASSWORD}`,
    );
    const shown = await done('show', '--email', 'bia@example.com');
    for (const line of [
      /^Country +PT$/m,
      /^Time zone +Europe\/Lisbon$/m,
      /^Tools +at most 20$/m,
      /^Campaigns +at most 50$/m,
      /^Calls a second +at most 2\.5$/m,
      /^SIP trunks +at most 30$/m,
    ])
      expect(shown).toMatch(line);
    await done('set', 'bia@example.com', '--max-calls-per-second=0');
    expect(await done('show', 'bia@example.com')).toMatch(/^Calls a second +as for all accounts$/m);
    await app.http.post('/api/auth/login').send({ email: 'bia@example.com', password: PASSWORD }).expect(200);
    expect(await done('list')).toMatch(/bia@example\.com +Bia +own-\d+ +PT +Europe\/Lisbon +0\.00$/m);

    await done('set', '--email', 'bia@example.com', '--plan', 'unlimited');
    expect(await done('show', 'bia@example.com')).toMatch(/^Tools +at most 1000000$/m);

    expect(await done('delete', '--email', 'bia@example.com')).toContain('is deleted');
    expect(await done('list')).not.toContain('bia@example.com');
    expect(await app.query("SELECT FROM plans WHERE code LIKE 'own-%'")).toEqual([]);
  }, 240_000);

  it('makes a link by which the creator of an account, or a member, sets a new password', async () => {
    const ana = await app.account({ password: PASSWORD });
    const { email: member } = await addMember(app, ana);
    for (const email of [ana.email, member]) {
      const out = await done('password-link', email);
      const [, token = ''] =
        /^http:\/\/127\.0\.0\.1:3000\/app\/password#(prosa_reset_\w{36})$/m.exec(out) ?? [];
      const password = `new ${PASSWORD}`;
      const { body } = await app.http.post('/api/auth/password/reset').send({ token, password }).expect(200);
      expect(body.user).toMatchObject({ id: ana.userId, email });
      await app.http.post('/api/auth/login').send({ email, password }).expect(200);
    }
    expect(await account('password-link', 'unknown@example.com')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is neither an account nor a member unknown@example.com'),
    });
  }, 60_000);

  it('deletes no account without --force that gets something at the same moment', async () => {
    const { userId, email } = await app.account();
    const other = new Client({ connectionString: app.database.url });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query("INSERT INTO labels (user_id, name) VALUES ($1, 'VIP')", [userId]);
      const refused = account('delete', '--email', email);
      await waitsForLock(app);
      await other.query('COMMIT');
      expect(await refused).toMatchObject({
        code: 1,
        err: `${email} has 1 label. To delete them too, repeat with --force.`,
      });
    } finally {
      await other.end();
    }
  }, 60_000);

  it('deletes an account that holds something only with --force, and closes one with money or files for a worker', async () => {
    const cleo = await app.account();
    await createAssistant(app, cleo);
    const refused = await account('delete', '--email', cleo.email);
    expect(refused).toMatchObject({
      code: 1,
      err: `${cleo.email} has 1 assistant. To delete them too, repeat with --force.`,
    });
    expect(await done('delete', '--email', cleo.email, '--force')).toContain('with 1 assistant');
    expect(await app.query('SELECT FROM assistants WHERE user_id = $1', [cleo.userId])).toEqual([]);

    const rich = await app.account({ balanceUsd: 5 });
    expect((await account('delete', '--email', rich.email)).err).toContain('1 ledger entry');
    expect(await done('delete', '--email', rich.email, '--force')).toContain('1 ledger entry');
    await app.as(rich).get('/api/user/me').expect(401);
    expect(await app.query('SELECT status FROM account_deletions WHERE user_id = $1', [rich.userId])).toEqual(
      [{ status: 'processing' }],
    );
  }, 60_000);

  it('writes all that an account has into a new file, whose owner alone may read it', async () => {
    const dora = await app.account();
    const key = `recordings/${dora.userId}/1-${'a'.repeat(8)}.ogg`;
    await createAssistant(app, dora, { name: 'Balcão' });
    await app.query(
      `INSERT INTO account_exports (user_id, status, file_key, file_bytes, finished_at)
       VALUES ($1, 'ready', $2, 1, now())`,
      [dora.userId, key],
    );
    const folder = await mkdtemp(join(tmpdir(), 'prosa-account-'));
    try {
      const path = join(folder, 'dora.tar.gz');
      const said = await done('export', dora.email, path);
      expect(said).toMatch(
        /dora\.tar\.gz: \d+ rows of \d+ tables, 0 files, \d+ bytes\.\n1 files that rows name/,
      );
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      const archive = gunzipSync(await readFile(path)).toString('utf8');
      expect(archive).toContain('tables/assistants/000001.ndjson');
      expect(archive).toContain('Balcão');
      expect(archive).toContain(`"missing_files": [\n    "${key}"\n  ]`);
      expect(archive).not.toContain('user1@example.com');
      expect(await readdir(folder)).toEqual(['dora.tar.gz']);

      expect(await account('export', '--email', dora.email, '--file', path)).toEqual({
        code: 1,
        out: '',
        err: `There is a file ${path} already: choose another name, or delete it.`,
      });
      expect(await account('export', dora.email, join(folder, 'away', 'x.tar.gz'))).toEqual({
        code: 1,
        out: '',
        err: `Nothing can be written into ${join(folder, 'away')}: there is no such folder.`,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  }, 60_000);

  it.each<[sentence: RegExp, ...args: string[]]>([
    [/^a command is needed/],
    [/^unknown command frobnicate/, 'frobnicate'],
    [/^Unknown option '--mail'/, 'show', '--mail', 'x'],
    [/^--email is missing/, 'show'],
    [/^unexpected words: user1@example\.com/, 'list', 'user1@example.com'],
    [/^unexpected words: c/, 'export', 'a', 'b', 'c'],
    [/^--email is given twice/, 'export', 'a', '--email', 'b'],
    [/^--file is missing/, 'export', 'user1@example.com'],
    [/^there is no account unknown@example\.com/, 'show', '--email', 'unknown@example.com'],
    [/^nothing to set/, 'set', '--email', 'user1@example.com'],
    [
      /^there is no plan gold; there are: standard, unlimited/,
      'set',
      '--email',
      'user1@example.com',
      '--plan',
      'gold',
    ],
    [/^--max-tools must be a whole number/, 'set', '--email', 'user1@example.com', '--max-tools', 'many'],
    [
      /^--max-calls-per-second must be from 0\.1/,
      'set',
      '--email',
      'user1@example.com',
      '--max-calls-per-second',
      '1001',
    ],
    [/^--amount must be dollars/, 'credit', '--email', 'user1@example.com', '--amount', '3 dollars'],
    [
      /^There is an account user1@example\.com already/,
      'create',
      '--email',
      'user1@example.com',
      '--name',
      'Ana',
    ],
    [/^The email field must be/, 'create', '--email', 'no-address', '--name', 'Ana'],
    [/^The name field is required/, 'create', '--email', 'dora@example.com'],
    [/^The country field must be/, 'create', '--email', 'dora@example.com', '--name', 'D', '--country', 'XX'],
    [/^The timezone field must be/, 'set', '--email', 'user1@example.com', '--timezone', 'Mars/Olympus'],
    [/^The password field must/, 'set', '--email', 'user1@example.com', '--password', 'short'],
    [/^This password is too common/, 'password', '--email', 'user1@example.com', '--password', 'password123'],
    [
      /^The password cannot be your email/,
      'create',
      '--email',
      'dora@example.com',
      '--name',
      'D',
      '--password',
      'dora@example.com',
    ],
  ])(
    'says %s in a sentence, as strictly as the API',
    async (sentence, ...args) => {
      const { code, out, err } = await account(...args);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(sentence);
      // Neither a stack trace nor a key of the catalogue.
      expect(err).not.toMatch(/^\s+at |\b[a-z_]+\.[a-z]+_[a-z_]+\b/m);
    },
    30_000,
  );

  it('says that the database is away', async () => {
    const { code, err } = await run(['list'], 'postgres://127.0.0.1:1/nothing');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The database at 127\.0\.0\.1:1 cannot be reached \(.+\): start the database, or correct DATABASE_URL\.$/,
    );
  }, 30_000);
});
