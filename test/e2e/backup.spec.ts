import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { BackupWriter } from '../../src/database/backup/backup-writer.js';
import { FORMAT, MANIFEST } from '../../src/database/backup/manifest.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const LARGE = 'recordings/1.ogg';
const run = promisify(execFile);
const TEXT = `A padaria abre às 6 horas.\n${'Pão de queijo e café. '.repeat(200)}`;

/** What becomes of a command: its exit code, and all it said. */
async function command(name: 'backup' | 'restore', environment: Record<string, string>, ...words: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await run(process.execPath, ['scripts/run.mjs', `cli/${name}`, ...words], {
      env: { PATH, HOME, ...environment },
    });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

/** The number of rows of each table, the sum of the ledger, and the value of each sequence. */
async function factsOf(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      // A backup is recorded when it is finished, so its own record is not in it.
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'database_backups'
       ORDER BY tablename`,
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      // A restore adds its own entry.
      const which = name === 'audit_log_entries' ? "WHERE action <> 'restore'" : '';
      const { rows } = await client.query(`SELECT count(*)::int AS rows FROM "${name}" ${which}`);
      counts[name] = rows[0].rows;
    }
    const { rows: ledger } = await client.query(
      'SELECT user_id, sum(amount_micros) AS sum FROM ledger_entries GROUP BY user_id ORDER BY user_id',
    );
    const { rows: wallets } = await client.query('SELECT * FROM wallets ORDER BY user_id');
    const { rows: sequences } = await client.query(
      "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY sequencename",
    );
    const { rows: constraints } = await client.query(
      `SELECT conrelid::regclass::text AS table, conname, pg_get_constraintdef(oid) AS definition, convalidated
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    );
    const { rows: triggers } = await client.query(
      `SELECT tgrelid::regclass::text AS table, tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
    );
    return { counts, ledger, wallets, sequences, constraints, triggers };
  } finally {
    await client.end();
  }
}

async function restoresOf(url: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "SELECT user_id, via, status FROM audit_log_entries WHERE action = 'restore'",
  );
  await client.end();
  return rows;
}

async function fileKeyOf(url: string, documentId: number): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT file_key FROM document_sources WHERE document_id = $1', [
    documentId,
  ]);
  await client.end();
  return rows[0].file_key;
}

/** A whole backup without a row. */
async function writeManifest(path: string, differences: object): Promise<void> {
  await rm(path);
  const writer = await BackupWriter.open(path);
  const manifest = {
    format: FORMAT,
    version: '9.9.9',
    createdAt: '2030-01-01T00:00:00Z',
    migrations: [],
    tables: [],
    sequences: [],
    keyIds: [],
    files: 'local',
    ...differences,
  };
  await writer.add(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  await writer.close();
}

async function embedded<T>(dataDir: string, look: (url: string) => Promise<T>): Promise<T> {
  const server = await EmbeddedPostgres.start({ dataDir, joinRunning: true, log: () => undefined });
  try {
    return await look(server.url);
  } finally {
    await server.stop();
  }
}

describe('npm run backup and npm run restore', () => {
  let folder: string;
  let original: string;
  let copy: string;
  let file: string;
  let prosa: ProsaProcess;
  let url: string;
  let apiKey: string;
  let conversation: string;
  let document: { id: number; knowledgebase: number };
  let facts: Awaited<ReturnType<typeof factsOf>>;

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-backup-'));
    original = join(folder, 'original');
    copy = join(folder, 'copy');
    file = join(folder, 'prosa.backup');
    prosa = ProsaProcess.start({ DATA_DIR: original, PORT: '0' });
    url = await prosa.ready();
    apiKey = /\bprosa_\w{36}\b/.exec(prosa.text)?.[0] ?? '';
    const path = /\/api\/conversations\/([\w-]+)\/messages/.exec(prosa.text);
    conversation = path?.[1] ?? '';
    await send(`/api/conversations/${conversation}/messages`, '{"message":"Olá! Que horas abre?"}');
    await send(
      '/api/user/tools',
      JSON.stringify({
        name: 'secret_tool',
        description: 'Com cabeçalho',
        endpoint: 'https://example.com/x',
        method: 'GET',
        headers: [{ name: 'X-Key', value: 'segredo' }],
      }),
    );
    const base = await send('/api/user/knowledgebases', '{"name":"Padaria"}');
    const form = new FormData();
    form.set('name', 'Horários');
    form.set('type', 'txt');
    form.set('file', new Blob([TEXT], { type: 'text/plain' }), 'horarios.txt');
    const added = await send(`/api/user/knowledgebases/${base.data.id}/documents`, form);
    document = { id: added.data.id, knowledgebase: base.data.id };
    await until(
      async () => !JSON.stringify(await read(documentPath())).includes('"status":"processing"'),
      60_000,
    );
    // As a recording is: more than fits into one read.
    await mkdir(join(original, 'files', 'recordings'), { recursive: true });
    await writeFile(join(original, 'files', LARGE), randomBytes(12_000_000));
  }, 240_000);
  afterAll(async () => {
    await prosa.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const documentPath = () => `/api/user/knowledgebases/${document.knowledgebase}/documents/${document.id}`;
  async function send(path: string, body: string | FormData): Promise<any> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
      },
      body,
    });
    const answer: unknown = await response.json();
    expect({ path, status: response.status, answer }).toMatchObject({ status: expect.any(Number) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }
  async function read(path: string, address = url): Promise<any> {
    const response = await fetch(address + path, { headers: { Authorization: `Bearer ${apiKey}` } });
    return response.json();
  }
  const withKey = async (dataDir: string) => {
    await mkdir(dataDir, { recursive: true });
    await copyFile(join(original, 'encryption.key'), join(dataDir, 'encryption.key'));
  };

  it('backs up a running Prosa into one file, which it does not write over', async () => {
    const made = await command('backup', { DATA_DIR: original }, file);
    expect(made).toEqual({
      code: 0,
      said: expect.stringMatching(/\d+ rows of \d+ tables\. 2 stored files are in it/),
    });
    expect(made.said).toContain('encryption.key');
    facts = await embedded(original, factsOf);
    const again = await command('backup', { DATA_DIR: original }, file);
    expect(again).toEqual({ code: 1, said: expect.stringContaining('There is a file') });
  }, 120_000);

  it('refuses a database on which Prosa runs', async () => {
    const refused = await command('restore', { DATA_DIR: original }, file, '--replace');
    expect(refused).toEqual({ code: 1, said: expect.stringContaining('is running') });
  }, 60_000);

  it('refuses an installation with another encryption key, and makes none', async () => {
    const refused = await command('restore', { DATA_DIR: copy }, file);
    expect(refused).toEqual({ code: 1, said: expect.stringContaining('There is no encryption key here') });
    await expect(readFile(join(copy, 'encryption.key'))).rejects.toThrow('ENOENT');
    const other = { DATA_DIR: copy, ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect(await command('restore', other, file)).toEqual({
      code: 1,
      said: expect.stringContaining('The encryption key here is another one'),
    });
  }, 60_000);

  it.each([
    {
      what: 'cut short',
      spoil: async (path: string) => truncate(path, Math.floor((await stat(path)).size * 0.9)),
    },
    {
      what: 'changed in a byte',
      spoil: async (path: string) => {
        const bytes = gunzipSync(await readFile(path));
        const at = bytes.indexOf('Que horas abre?');
        bytes.write('Que HORAS abre?', at);
        await writeFile(path, gzipSync(bytes));
      },
      says: 'is damaged in tables/messages',
    },
    {
      what: 'no backup at all',
      spoil: async (path: string) => writeFile(path, 'hello'),
      says: 'is no backup',
    },
    {
      what: 'of a newer schema',
      spoil: (path: string) =>
        writeManifest(path, { migrations: ['Accounts1763600000001', 'Future1999999999999'] }),
      says: 'whose database is newer than this release knows (Future1999999999999)',
    },
    {
      what: 'of a newer form',
      spoil: (path: string) => writeManifest(path, { format: 99 }),
      says: 'made by a newer release of Prosa',
    },
  ])(
    'refuses a file that is $what, and changes nothing',
    async ({ spoil, says }) => {
      const spoiled = join(folder, 'spoiled');
      await copyFile(file, spoiled);
      await spoil(spoiled);
      await withKey(copy);
      const refused = await command('restore', { DATA_DIR: copy }, spoiled);
      expect(refused.code).toBe(1);
      expect(refused.said).toContain(says ?? 'is damaged');
      expect(refused.said).not.toMatch(/^\s+at /m);
      await expect(readFile(join(copy, 'postgres', 'PG_VERSION'))).rejects.toThrow('ENOENT');
    },
    60_000,
  );

  it('restores into an empty folder: rows, money, rules, files, and Prosa runs on it', async () => {
    await withKey(copy);
    const restored = await command('restore', { DATA_DIR: copy }, file);
    expect(restored).toEqual({ code: 0, said: expect.stringContaining('2 files') });
    const there = await embedded(copy, factsOf);
    expect(there).toEqual(facts);
    expect(await embedded(copy, restoresOf)).toEqual([{ user_id: null, via: 'operator', status: 200 }]);
    expect(there.counts.messages).toBeGreaterThan(1);

    const second = ProsaProcess.start({ DATA_DIR: copy, PORT: '0' });
    try {
      const address = await second.ready();
      const messages = `/api/user/conversations/${conversation}/messages`;
      expect(await read(messages, address)).toEqual(await read(messages));
      expect((await read('/api/user/me', address)).total_balance).toBe(
        (await read('/api/user/me')).total_balance,
      );
      // Its headers are sealed.
      const tools = await read('/api/user/tools', address);
      expect(JSON.stringify(tools)).toContain('secret_tool');
      const key = await embedded(copy, (at) => fileKeyOf(at, document.id));
      for (const name of [key, LARGE]) {
        const [restoredBytes, bytes] = await Promise.all(
          [copy, original].map((each) => readFile(join(each, 'files', name))),
        );
        expect({ name, same: restoredBytes?.equals(bytes ?? Buffer.alloc(0)) }).toEqual({ name, same: true });
      }
      // No id is given twice.
      const base = await fetch(`${address}/api/user/knowledgebases`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
        body: '{"name":"Nova"}',
      });
      expect(((await base.json()) as any).data.id).toBeGreaterThan(document.knowledgebase);
    } finally {
      expect(await second.stop()).toBe(0);
    }
  }, 180_000);

  it('restores without the secrets whose key is lost, and the rest works', async () => {
    const lost = join(folder, 'lost');
    const other = { DATA_DIR: lost, ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') };
    const restored = await command('restore', other, file, '--without-secrets');
    expect(restored).toEqual({
      code: 0,
      said: expect.stringMatching(/Secrets whose key is lost are removed: .*tools\.headers 1/),
    });
    const again = ProsaProcess.start({ ...other, PORT: '0' });
    try {
      const address = await again.ready();
      const tools = await read('/api/user/tools', address);
      expect(tools).toContainEqual(expect.objectContaining({ name: 'secret_tool', headers: [] }));
    } finally {
      expect(await again.stop()).toBe(0);
    }
  }, 120_000);

  it('restores over existing accounts only with --replace', async () => {
    const refused = await command('restore', { DATA_DIR: copy }, file);
    expect(refused).toEqual({ code: 1, said: expect.stringContaining('--replace') });
    expect(await command('restore', { DATA_DIR: copy }, file, '--replace')).toMatchObject({ code: 0 });
    expect(await embedded(copy, factsOf)).toEqual(facts);
  }, 120_000);

  it('restores into a PostgreSQL of one’s own, and leaves one alone that holds something else', async () => {
    const database: TestDatabase = await emptyDatabase();
    try {
      const key = (await readFile(join(original, 'encryption.key'), 'utf8')).trim();
      const environment = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: key,
        DATA_DIR: join(folder, 'external'),
      };
      const client = new Client({ connectionString: database.url });
      await client.connect();
      await client.query('CREATE TABLE invoices (id int)');
      expect(await command('restore', environment, file, '--replace')).toEqual({
        code: 1,
        said: expect.stringContaining('not those of Prosa'),
      });
      await client.query('DROP TABLE invoices');
      await client.end();
      expect(await command('restore', environment, file)).toMatchObject({ code: 0 });
      const { counts, ledger } = await factsOf(database.url);
      expect({ counts, ledger }).toEqual({ counts: facts.counts, ledger: facts.ledger });
    } finally {
      await database.drop();
    }
  }, 120_000);
});
