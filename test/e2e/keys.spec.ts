import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { keyIdOf } from '../../src/common/crypto/secret-box.js';
import { Client } from 'pg';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const shell = promisify(execFile);
const newKey = () => randomBytes(32).toString('base64');
const API_KEY = makeToken('prosa_');
const TOOL = {
  description: 'Consulta a situação de um pedido pelo número',
  endpoint: 'https://example.com/orders',
  method: 'GET',
  headers: [{ name: 'X-Token', value: 'valor-secreto' }],
  schema: [],
};

let folder: string;
const running: ProsaProcess[] = [];

beforeAll(async () => {
  await buildProduct();
  folder = await mkdtemp(join(tmpdir(), 'prosa-keys-'));
}, 180_000);
afterEach(async () => {
  for (const prosa of running) prosa.kill('SIGKILL');
  await Promise.all(running.splice(0).map((prosa) => prosa.exit()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function start(environment: Record<string, string>): ProsaProcess {
  const prosa = ProsaProcess.start({ PORT: '0', LOG_LEVEL: 'fatal', ...environment });
  running.push(prosa);
  return prosa;
}

describe('a change of the encryption key over two processes', () => {
  const [OLD, NEW] = [newKey(), newKey()];
  let database: TestDatabase;

  beforeAll(async () => {
    database = await emptyDatabase();
  });
  afterAll(() => database.drop());

  const environment = (keys: string) => ({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: keys,
    DATA_DIR: folder,
    BOOTSTRAP_EMAIL: 'operacao@example.com',
    BOOTSTRAP_API_KEY: API_KEY,
  });
  const startWith = async (keys: string) => {
    const prosa = start(environment(keys));
    return { prosa, url: await prosa.ready() };
  };

  async function addTool(url: string, name: string): Promise<void> {
    const response = await fetch(`${url}/api/user/tools`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${API_KEY}` },
      body: JSON.stringify({ ...TOOL, name }),
    });
    expect(response.status).toBe(201);
  }

  /** How many tools a process lists; it opens the headers of each. */
  async function toolsAt(url: string): Promise<number> {
    const response = await fetch(`${url}/api/user/tools`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as unknown[]).length;
  }

  async function keys(command: string, environmentKeys: string): Promise<string> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, ...environment(environmentKeys) };
    return (await shell(process.execPath, ['scripts/run.mjs', 'cli/keys', command], { env })).stdout;
  }

  async function letTwoMinutesPass(): Promise<void> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(`UPDATE encryption_keys SET last_sealed_at = last_sealed_at - interval '3 minutes'`);
    await client.end();
  }

  it('answers every request at each step: old; old,new; new,old; reseal; new', async () => {
    let [one, two] = [await startWith(OLD), await startWith(OLD)];
    await addTool(one.url, 'first');

    for (const step of [`${OLD},${NEW}`, `${NEW},${OLD}`]) {
      // One process after the other: for a while they have different keys.
      expect(await one.prosa.stop()).toBe(0);
      one = await startWith(step);
      const name = step.startsWith(OLD) ? 'second' : 'third';
      await addTool(one.url, name);
      expect(await toolsAt(two.url)).toBe(await toolsAt(one.url));
      expect(await two.prosa.stop()).toBe(0);
      two = await startWith(step);
      expect(await toolsAt(two.url)).toBe(await toolsAt(one.url));
    }

    expect(await keys('status', `${NEW},${OLD}`)).toContain(`${keyIdOf(OLD)}  opens secrets: `);
    expect(await keys('reseal', `${NEW},${OLD}`)).toMatch(/^\d+ secrets are sealed with the first key now\./);
    await letTwoMinutesPass();
    expect(await keys('reseal', `${NEW},${OLD}`)).toContain(
      `No secret needs the key ${keyIdOf(OLD)} any more`,
    );
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT user_id, action, status FROM audit_log_entries WHERE via = 'operator'",
    );
    await client.end();
    // One of each reseal, and none of a look at the status.
    const reseal = { user_id: null, action: 'keys.reseal', status: 200 };
    expect(rows).toEqual([reseal, reseal]);
    expect(await keys('status', NEW)).toMatch(new RegExp(`^${keyIdOf(NEW)}  seals new secrets: .*\\n$`));

    expect(await one.prosa.stop()).toBe(0);
    one = await startWith(NEW);
    expect(await toolsAt(one.url)).toBe(3);
    expect(await toolsAt(two.url)).toBe(3);
  }, 300_000);

  it.each([
    ['the old key', () => OLD],
    ['a key that was never here', newKey],
  ])(
    'refuses a process with %s, with a sentence',
    async (_what, key) => {
      const prosa = start(environment(key()));
      expect(await prosa.exit()).toBe(1);
      expect(prosa.text).toContain(
        `need the encryption key ${keyIdOf(NEW)} (its id), which this process does not have`,
      );
      expect(prosa.text).not.toMatch(/^ +at /m);
    },
    60_000,
  );
});

describe('an embedded database whose key file is lost', () => {
  it('is not started with a new key', async () => {
    const dataDir = join(folder, 'embedded');
    const key = join(dataDir, 'encryption.key');
    const first = start({ DATA_DIR: dataDir });
    await first.ready();
    expect(await first.stop()).toBe(0);
    await rename(key, `${key}.kept`);

    const second = start({ DATA_DIR: dataDir });
    expect(await second.exit()).toBe(1);
    expect(second.text).toContain(`There are accounts in this database, and no encryption key in ${dataDir}`);
    expect(existsSync(key)).toBe(false);

    await rename(`${key}.kept`, key);
    const third = start({ DATA_DIR: dataDir });
    await third.ready();
    expect(await third.stop()).toBe(0);
  }, 180_000);
});
