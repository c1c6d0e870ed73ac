import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Queue } from 'bullmq';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { prosaVersion } from '../../src/config/prosa-version.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { openQueueBackend } from '../../src/queues/backend/queue-backend.js';
import { MAINTENANCE_QUEUE } from '../../src/queues/job-definition.js';
import { query, removeFolder } from '../support/embedded-postgres.js';
import { LocalServer } from '../support/http-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const run = promisify(execFile);
const PAGE = 'docs/how-to/connect-postgresql.md';
const OWNER = 'prosa_owner:choose-a-password';
const APP = 'prosa_app:choose-another-password';
const OLD_KEY = randomBytes(32).toString('base64');
const BOTH_KEYS = `${randomBytes(32).toString('base64')},${OLD_KEY}`;
const API_KEY = makeToken('prosa_');
const BEHIND = /run npm run migrate with a role in MIGRATION_DATABASE_URL that owns the database/;

/** The statements of the page, in its order; the first block is that of an installation with one role. */
async function statementsOfPage(): Promise<string[]> {
  const text = await readFile(PAGE, 'utf8');
  return [...text.matchAll(/^```sql\n([^]*?)^```$/gm)].map(([, code = '']) => code).slice(1);
}

/** An operator prepares the database as its owner, and runs Prosa under a role that may only change rows. */
describe('a role that cannot change tables', () => {
  let folder: string;
  let server: EmbeddedPostgres;
  let receiver: LocalServer;
  const running: ProsaProcess[] = [];

  const urlOf = (role: string) => `postgres://${role}@127.0.0.1:${server.port}/prosa`;
  const asOwner = <Row extends object>(...sql: string[]) => query<Row>(urlOf(OWNER), ...sql);
  const asApp = <Row extends object>(...sql: string[]) => query<Row>(urlOf(APP), ...sql);

  beforeAll(async () => {
    await buildProduct();
    folder = await realpath(await mkdtemp(join(tmpdir(), 'prosa-roles-')));
    await chmod(folder, 0o711);
    server = await EmbeddedPostgres.start({ dataDir: folder, durable: false, log: () => undefined });
    receiver = await LocalServer.start((_request, response) => void response.writeHead(200).end());
    const [byAdmin = '', byOwner = ''] = await statementsOfPage();
    const statements = byAdmin.split(';').filter((sql) => sql.trim() !== '');
    await query(server.adminUrl, 'DROP DATABASE prosa', ...statements);
    await asOwner(byOwner);
  }, 240_000);
  afterAll(async () => {
    for (const prosa of running) prosa.kill('SIGKILL');
    await Promise.all(running.map((prosa) => prosa.exit()));
    await receiver.stop();
    await server.stop();
    await removeFolder(folder);
  }, 60_000);

  function start(roles: string, environment: Record<string, string> = {}): ProsaProcess {
    const prosa = ProsaProcess.start({
      DATABASE_URL: urlOf(APP),
      ENCRYPTION_KEY: OLD_KEY,
      DATA_DIR: join(folder, 'data'),
      PROSA_ROLES: roles,
      BOOTSTRAP_EMAIL: 'operacao@example.com',
      BOOTSTRAP_API_KEY: API_KEY,
      BOOTSTRAP_BALANCE: '10',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      SANDBOX_SPEED: '100',
      CALLING_HOURS: 'off',
      CONVERSATION_RETENTION_DAYS: '1',
      CALL_RETENTION_DAYS: '1',
      RECORDING_RETENTION_DAYS: '1',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    });
    running.push(prosa);
    return prosa;
  }

  /** As `npm run <name>` runs it; the environment of the runtime role when none is given. */
  async function command(name: string, words: readonly string[] = [], environment?: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env;
    const given = environment ?? { DATABASE_URL: urlOf(APP), ENCRYPTION_KEY: OLD_KEY };
    try {
      const { stdout, stderr } = await run(process.execPath, [`dist/cli/${name}.js`, ...words], {
        env: { PATH, HOME, DATA_DIR: join(folder, 'data'), ...given },
      });
      return { code: 0, said: stdout + stderr };
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      return { code, said: stdout + stderr };
    }
  }
  const migrate = () => command('migrate', [], { MIGRATION_DATABASE_URL: urlOf(OWNER) });

  async function refusal(): Promise<string> {
    const prosa = start('api,worker');
    expect({ code: await prosa.exit(), said: prosa.text }).toEqual({
      code: 1,
      said: expect.stringMatching(BEHIND),
    });
    expect(prosa.text).not.toMatch(/^ +at /m);
    return prosa.text;
  }

  it('ends with a sentence and creates nothing while the database is empty', async () => {
    expect(await refusal()).toContain(`is behind Prosa ${prosaVersion} (it lacks the migration Accounts`);
    expect(await asOwner("SELECT FROM pg_tables WHERE schemaname IN ('public', 'bullmq')")).toEqual([]);
  }, 60_000);

  it('finds the database prepared by npm run migrate, which may run twice at once and again', async () => {
    const both = await Promise.all([migrate(), migrate()]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const said = both.map((each) => each.said).join('');
    expect(said).toMatch(/^Applying the migration Accounts1763600000001…$/m);
    expect(said).toMatch(/^The database is prepared for Prosa [\d.]+: \d\d migrations applied\.$/m);
    expect(await migrate()).toEqual({
      code: 0,
      said: `The database is prepared for Prosa ${prosaVersion}: 0 migrations applied.\n`,
    });
  }, 120_000);

  it('runs everything without an error of a privilege', async () => {
    const api = start('api');
    const url = await api.ready();
    const others = [start('worker'), start('voice')];
    const call = async <Body>(method: string, path: string, body?: object | FormData): Promise<Body> => {
      const isForm = body instanceof FormData;
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${API_KEY}`,
          ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      expect({ path, status: response.status, text }).toMatchObject({ path, status: expect.any(Number) });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text) as Body;
    };
    type Made = { data: { id: number } };

    const made = await command('account', ['create', '--email', 'ana@example.com', '--name', 'Ana']);
    expect(made).toEqual({ code: 0, said: expect.stringContaining('prosa_') });
    await call('POST', '/user/tools', {
      name: 'track_order',
      description: 'Consulta a situação de um pedido pelo número',
      endpoint: 'https://example.com/orders',
      method: 'GET',
      headers: [{ name: 'X-Token', value: 'valor-secreto' }],
      schema: [],
    });

    const base = await call<Made>('POST', '/user/knowledgebases', { name: 'Padaria' });
    const form = new FormData();
    form.set('name', 'Horários');
    form.set('type', 'txt');
    form.set('file', new Blob(['A padaria abre às 6 horas.'], { type: 'text/plain' }), 'horarios.txt');
    const document = await call<Made>('POST', `/user/knowledgebases/${base.data.id}/documents`, form);
    await until(async () => {
      const path = `/user/knowledgebases/${base.data.id}/documents/${document.data.id}`;
      return !JSON.stringify(await call('GET', path)).includes('"status":"processing"');
    }, 60_000);

    const fields = {
      voice_id: 1,
      language_id: 1,
      llm_model_id: 1,
      mode: 'pipeline',
      timezone: 'America/Sao_Paulo',
      initial_message: 'Olá! Aqui é a Padaria Central.',
      system_prompt: 'Você atende uma padaria.',
    };
    const inbound = await call<Made>('POST', '/user/assistant', { ...fields, name: 'Loja', type: 'inbound' });
    const { uuid } = await call<{ uuid: string }>('GET', `/user/assistant/${inbound.data.id}`);
    await call('PUT', `/user/assistant/${inbound.data.id}`, { status: 'active' });
    const opened = await call<{ conversation_id: string }>('POST', '/conversations', {
      assistant_id: uuid,
      type: 'widget',
    });
    const answer = await call<{ message: string }>(
      'POST',
      `/conversations/${opened.conversation_id}/messages`,
      { message: 'Que horas abre?' },
    );
    expect(answer.message).not.toBe('');

    const outbound = await call<Made>('POST', '/user/assistant', {
      ...fields,
      name: 'Renovação',
      type: 'outbound',
      is_webhook_active: true,
      webhook_url: `${receiver.url}/`,
      send_webhook_only_on_completed: false,
    });
    await call('PUT', `/user/assistant/${outbound.data.id}`, { status: 'active' });
    const found = await call<{ data: { phone_number: string }[] }>(
      'GET',
      '/user/phone-numbers/search?country_code=US',
    );
    const number = await call<Made>('POST', '/user/phone-numbers/purchase', {
      phone_number: found.data[0]?.phone_number,
    });
    const campaign = await call<Made>('POST', '/user/campaign', {
      name: 'Renovação',
      assistant_id: outbound.data.id,
      max_calls_in_parallel: 2,
      phone_number_ids: [number.data.id],
    });
    for (const phone of ['+551191100000', '+551191100100']) {
      await call('POST', '/user/lead', { campaign_id: campaign.data.id, phone_number: phone });
    }
    await call('POST', '/user/campaigns/update-status', { campaign_id: campaign.data.id, action: 'start' });
    await until(async () => {
      const calls = await call<{ data: unknown[] }>('GET', '/user/calls?status=completed');
      return calls.data.length === 2 && receiver.requests.length >= 2;
    }, 90_000);

    await asOwner(`UPDATE calls SET created_at = created_at - interval '3 days'`);
    const backend = openQueueBackend(urlOf(APP), undefined, 1);
    const maintenance = new Queue(MAINTENANCE_QUEUE, { connection: backend.connection });
    await maintenance.add('all-intervals', {});
    await until(
      async () => (await asOwner('SELECT FROM calls WHERE erased_at IS NULL')).length === 0,
      60_000,
    );
    await maintenance.close();
    await backend.close();

    const withKeys = { DATABASE_URL: urlOf(APP), ENCRYPTION_KEY: BOTH_KEYS };
    expect(await command('keys', ['reseal'], withKeys)).toEqual({
      code: 0,
      said: expect.stringMatching(/^[1-9]\d* secrets are sealed with the first key now/),
    });
    const deleted = await command('account', ['delete', '--email', 'operacao@example.com', '--force']);
    expect(deleted).toEqual({ code: 0, said: expect.stringContaining('is closed') });
    await until(
      async () => (await asOwner("SELECT FROM users WHERE email = 'operacao@example.com'")).length === 0,
      90_000,
    );

    for (const prosa of [api, ...others]) expect(await prosa.stop()).toBe(0);
    expect(running.map(({ text }) => text).join('\n')).not.toMatch(/permission denied|must be owner/);
    expect(await readFile(join(folder, 'postgres.log'), 'utf8')).not.toMatch(
      /permission denied|must be owner/,
    );
  }, 300_000);

  it.each([
    ['create a table', 'CREATE TABLE other (id integer)', 'permission denied for schema public'],
    [
      'create a table in the schema of the queue',
      'CREATE TABLE bullmq.other (id integer)',
      'for schema bullmq',
    ],
    [
      'create a function',
      "CREATE FUNCTION other() RETURNS int LANGUAGE sql AS 'SELECT 1'",
      'permission denied',
    ],
    ['create a schema', 'CREATE SCHEMA other', 'permission denied for database prosa'],
    ['drop a table', 'DROP TABLE calls', 'must be owner of table calls'],
    ['change a table', 'ALTER TABLE calls ADD COLUMN other integer', 'must be owner of table calls'],
    ['switch a trigger off', 'ALTER TABLE ledger_entries DISABLE TRIGGER ALL', 'must be owner of table'],
    ['change the ledger', 'TRUNCATE ledger_entries CASCADE', 'never changed'],
  ])('cannot %s', async (_what, sql, reason) => {
    await expect(asApp(sql)).rejects.toThrow(reason);
  });

  it('uses what a later migration creates without a further GRANT', async () => {
    await asOwner(
      `CREATE TABLE later (id serial PRIMARY KEY, name text)`,
      `CREATE FUNCTION names_of_later() RETURNS SETOF text LANGUAGE sql AS 'SELECT name FROM later'`,
      'CREATE SCHEMA later_schema CREATE TABLE later (id integer)',
    );
    await asApp("INSERT INTO later (name) VALUES ('Ana')", 'INSERT INTO later_schema.later VALUES (1)');
    expect(await asApp('SELECT names_of_later() AS name')).toEqual([{ name: 'Ana' }]);
    expect(await asApp('SELECT last_value::int AS last FROM later_id_seq')).toEqual([{ last: 1 }]);
    await asApp('UPDATE later SET name = NULL', 'DELETE FROM later', 'TRUNCATE later');
    await asOwner(
      'DROP TABLE later CASCADE',
      'DROP SCHEMA later_schema CASCADE',
      'DROP FUNCTION names_of_later',
    );
  });

  it.each([
    {
      what: 'a migration',
      spoil: ["DELETE FROM migrations WHERE name LIKE 'EncryptionKeys%'", 'DROP TABLE encryption_keys'],
      missing: 'the migration EncryptionKeys1764200000402',
    },
    {
      what: 'the text of a function',
      spoil: ["UPDATE database_functions SET checksum = 'old' WHERE file = 'billing/void_hold'"],
      missing: 'the current function billing/void_hold',
    },
    {
      what: 'a queue',
      spoil: [
        `DO $$ BEGIN EXECUTE format('DROP SEQUENCE bullmq.%I', bullmq.job_id_seq_name('maintenance')); END $$`,
      ],
      missing: 'the job queue maintenance',
    },
    {
      what: 'the schema of the queues',
      spoil: ['DROP SCHEMA bullmq CASCADE'],
      missing: 'the schema of the job queue',
    },
  ])(
    'ends with code 1 where $what is missing, until npm run migrate has run',
    async ({ spoil, missing }) => {
      await asOwner(...spoil);
      expect(await refusal()).toContain(`it lacks ${missing}`);
      expect(await migrate()).toMatchObject({ code: 0 });
      const prosa = start('api,worker', { ENCRYPTION_KEY: BOTH_KEYS });
      await prosa.ready();
      expect(await prosa.stop()).toBe(0);
    },
    90_000,
  );

  it('gets the privileges in a database that one role has prepared so far', async () => {
    const single = 'prosa:choose-a-password';
    const [, byOwner = '', forExisting = ''] = await statementsOfPage();
    const inDatabase = (role: string) => urlOf(role).replace(/prosa$/, 'existing');
    const forRole = (sql: string) =>
      sql.replaceAll('prosa_owner', 'prosa').replaceAll('DATABASE prosa', 'DATABASE existing');
    await query(
      server.adminUrl,
      `ALTER ROLE prosa PASSWORD 'choose-a-password'`,
      'CREATE DATABASE existing OWNER prosa',
    );
    const owner = { DATABASE_URL: inDatabase(single), ENCRYPTION_KEY: BOTH_KEYS };
    const before = start('api,worker', owner);
    await before.ready();
    await query(inDatabase(single), forRole(byOwner), forRole(forExisting));
    expect(await command('migrate', [], owner)).toMatchObject({ code: 0 });
    const after = start('api,worker', { ...owner, DATABASE_URL: inDatabase(APP) });
    await after.ready();
    for (const prosa of [before, after]) expect(await prosa.stop()).toBe(0);
    expect(after.text).not.toMatch(/permission denied/);
  }, 120_000);

  it('cannot restore or build the vector index, and says which variable does', async () => {
    const file = join(folder, 'prosa.backup');
    const owner = { MIGRATION_DATABASE_URL: urlOf(OWNER) };
    const withKeys = { DATABASE_URL: urlOf(APP), ENCRYPTION_KEY: BOTH_KEYS };
    expect(await command('backup', [file], withKeys)).toMatchObject({ code: 0 });
    const sentence =
      'The role prosa_app may not change the tables of this database: set MIGRATION_DATABASE_URL';
    expect(await command('restore', [file, '--replace'], withKeys)).toEqual({
      code: 1,
      said: expect.stringContaining(sentence),
    });
    const embeddings = { EMBEDDINGS_MODEL: 'small', EMBEDDINGS_DIMENSIONS: '8' };
    expect(await command('vector-index', [], { ...withKeys, ...embeddings })).toEqual({
      code: 1,
      said: expect.stringContaining(sentence),
    });

    expect(await command('restore', [file, '--replace'], { ...withKeys, ...owner })).toEqual({
      code: 0,
      said: expect.stringContaining('Restored: '),
    });
    const prosa = start('api,worker', withKeys);
    await prosa.ready();
    expect(await prosa.stop()).toBe(0);
  }, 180_000);
});
