import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { Programs } from '../../src/database/embedded/programs.js';
import { chooseServerAccount } from '../../src/database/embedded/server-account.js';
import { removeFolder } from '../support/embedded-postgres.js';
import { freePort } from '../support/free-port.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

/** Folders of the programs by major version, from scripts/test-operate.mjs. */
const PACKAGES = JSON.parse(process.env.POSTGRES_PACKAGES ?? '{}') as Record<string, string>;
const REFUSED = '14';
const KEY = randomBytes(32).toString('base64');
const API_KEY = makeToken('prosa_');

const running: ProsaProcess[] = [];

beforeAll(() => buildProduct(), 180_000);
afterAll(async () => {
  for (const prosa of running) prosa.kill('SIGKILL');
  await Promise.all(running.map((prosa) => prosa.exit()));
});

/** Under root the server runs as another user, who must get in. */
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'prosa-postgres-'));
  await chmod(folder, 0o711);
  return folder;
}

function start(databaseUrl: string, dataDir: string): ProsaProcess {
  const prosa = ProsaProcess.start({
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: KEY,
    DATA_DIR: dataDir,
    PROSA_ROLES: 'api,worker',
    BOOTSTRAP_EMAIL: 'operacao@example.com',
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_BALANCE: '10',
    PORT: '0',
    LOG_LEVEL: 'warn',
  });
  running.push(prosa);
  return prosa;
}

const supported = Object.entries(PACKAGES).filter(([major]) => major !== REFUSED);

(supported.length > 0 ? describe : describe.skip).each(supported.length > 0 ? supported : [['none', '']])(
  'PostgreSQL %s',
  (major, packageDir) => {
    let folder: string;
    let server: EmbeddedPostgres;

    beforeAll(async () => {
      folder = await makeFolder();
      server = await EmbeddedPostgres.start({
        dataDir: folder,
        durable: false,
        packageDir,
        log: () => undefined,
      });
    }, 120_000);
    afterAll(async () => {
      await server.stop();
      await removeFolder(folder);
    });

    const query = async <Row>(sql: string): Promise<Row[]> => {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      try {
        return (await client.query(sql)).rows as Row[];
      } finally {
        await client.end();
      }
    };

    it('gets the schema, answers a chat, searches, keeps secrets and starts again', async () => {
      const [version] = await query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      );
      expect(version?.version).toMatch(new RegExp(`^${major}\\.`));
      const prosa = start(server.url, join(folder, 'data'));
      const url = await prosa.ready();
      const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
        const response = await fetch(`${url}/api${path}`, {
          method,
          headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
          ...(body ? { body: JSON.stringify(body) } : {}),
        });
        const text = await response.text();
        expect({ path, status: response.status, text }).toMatchObject({ path, status: expect.any(Number) });
        expect(response.status).toBeLessThan(300);
        return JSON.parse(text) as Body;
      };
      await call('POST', '/user/tools', {
        name: 'track_order',
        description: 'Consulta a situação de um pedido pelo número',
        endpoint: 'https://example.com/orders',
        method: 'GET',
        headers: [{ name: 'X-Token', value: 'valor-secreto' }],
        schema: [],
      });
      const made = await call<{ data: { id: number } }>('POST', '/user/assistant', {
        name: 'Loja',
        voice_id: 1,
        language_id: 1,
        llm_model_id: 1,
        type: 'inbound',
        mode: 'pipeline',
        timezone: 'America/Sao_Paulo',
        initial_message: 'Olá!',
        system_prompt: 'Você atende uma loja.',
        tool_ids: [],
      });
      await call('PUT', `/user/assistant/${made.data.id}`, { status: 'active' });
      const { uuid } = await call<{ uuid: string }>('GET', `/user/assistant/${made.data.id}`);
      const { conversation_id: conversation } = await call<{ conversation_id: string }>(
        'POST',
        '/conversations',
        {
          assistant_id: uuid,
          type: 'widget',
        },
      );
      const answer = await call<{ message: string }>('POST', `/conversations/${conversation}/messages`, {
        message: 'Que horas abre?',
      });
      expect(answer.message).not.toBe('');
      expect(await call('GET', '/user/tools')).toHaveLength(1);
      await until(async () => (await query('SELECT FROM encryption_keys')).length === 1, 10_000);
      expect(await prosa.stop()).toBe(0);

      const again = start(server.url, join(folder, 'data'));
      await again.ready();
      expect(await again.stop()).toBe(0);
      expect(again.text).not.toMatch(/"level":[56]0/);
    }, 180_000);
  },
);

(REFUSED in PACKAGES ? describe : describe.skip)(`PostgreSQL ${REFUSED}`, () => {
  it('is refused with a sentence before anything is created', async () => {
    const folder = await makeFolder();
    const cluster = join(folder, 'cluster');
    const packageDir = PACKAGES[REFUSED] ?? '';
    const account = await chooseServerAccount(cluster, [folder, join(packageDir, 'native')]);
    const programs = await Programs.prepare(packageDir, join(folder, 'libraries'), account);
    await mkdir(cluster, { mode: 0o700 });
    if (account.ids) await chown(cluster, account.ids.uid, account.ids.gid);
    const made = await programs.run('initdb', [
      `--pgdata=${cluster}`,
      '--username=postgres',
      '--auth=trust',
      '--no-sync',
    ]);
    expect(made).toMatchObject({ succeeded: true });
    const port = await freePort();
    const server = programs.spawn(
      'postgres',
      ['-D', cluster, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
      'ignore',
    );
    try {
      const databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
      const prosa = start(databaseUrl, join(folder, 'data'));
      expect(await prosa.exit()).toBe(1);
      expect(prosa.text).toContain('PostgreSQL 14.23, and Prosa needs PostgreSQL 15 or newer');
      expect(prosa.text).not.toMatch(/^ +at /m);
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace");
      await client.end();
      expect(rows).toEqual([]);
    } finally {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      await removeFolder(folder);
    }
  }, 120_000);
});
