import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { START_FAILPOINTS } from '../../src/common/failpoints.js';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { EmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { failingAt } from '../support/failing-at.js';
import { lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const PROCESSES = lengthOf(4, 9);
const KEY = /\bprosa_\w{36}\b/;

interface Made {
  readonly accounts: number;
  readonly keys: number;
  readonly credits: number;
  readonly balance: string;
  readonly assistants: number;
  readonly conversations: number;
}

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Everything a first start makes, counted over the whole database. */
async function made(url: string): Promise<Made> {
  const [row] = await query<Made>(
    url,
    `SELECT (SELECT count(*)::int FROM users) AS accounts,
       (SELECT count(*)::int FROM api_keys) AS keys,
       (SELECT count(*)::int FROM ledger_entries) AS credits,
       (SELECT sum(balance_micros)::text FROM wallets) AS balance,
       (SELECT count(*)::int FROM assistants) AS assistants,
       (SELECT count(*)::int FROM conversations) AS conversations`,
  );
  if (!row) throw new Error('a count has one row');
  return row;
}

const statusOf = async (url: string, key: string) =>
  (await fetch(`${url}/api/user/me`, { headers: { Authorization: `Bearer ${key}` } })).status;

describe('a first start', () => {
  let dataDir: string;
  const running: ProsaProcess[] = [];
  const start = (environment: Record<string, string>) => {
    const prosa = ProsaProcess.start({
      DATA_DIR: dataDir,
      PORT: '0',
      PROSA_ROLES: 'api,worker',
      LOG_LEVEL: 'error',
      ...environment,
    });
    running.push(prosa);
    return prosa;
  };

  beforeAll(async () => {
    await buildProduct();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-first-'));
  }, 120_000);
  const stopAll = () => Promise.all(running.splice(0).map((prosa) => prosa.stop()));
  afterEach(stopAll, 60_000);
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  describe('with BOOTSTRAP_ variables', () => {
    let database: TestDatabase;
    let apiKey: string;
    let bootstrap: Record<string, string>;
    const whole = { accounts: 1, keys: 1, credits: 1, balance: '12500000', assistants: 0, conversations: 0 };

    beforeAll(() => {
      apiKey = makeToken('prosa_');
    });
    const begin = async () => {
      database = await emptyDatabase();
      bootstrap = {
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        BOOTSTRAP_EMAIL: 'ops@example.com',
        BOOTSTRAP_PASSWORD: 'correct horse battery',
        BOOTSTRAP_API_KEY: apiKey,
        BOOTSTRAP_BALANCE: '12.50',
      };
    };
    afterEach(async () => {
      await stopAll();
      await database.drop();
    }, 60_000);

    it(`comes up in ${PROCESSES} processes at once on an empty database, and makes one account`, async () => {
      await begin();
      const processes = Array.from({ length: PROCESSES }, () => start(bootstrap));
      const urls = await Promise.all(processes.map((prosa) => prosa.ready(150_000)));
      expect(await made(database.url)).toEqual(whole);
      expect(await Promise.all(urls.map((url) => statusOf(url, apiKey)))).toEqual(
        Array.from({ length: PROCESSES }, () => 200),
      );
    }, 180_000);

    it('is finished by the next one, wherever it was killed', async () => {
      await begin();
      for (const point of ['after-first-account', 'after-first-key', 'after-first-credit'] as const) {
        const killed = start({ ...bootstrap, ...failingAt([point], 'kill') });
        expect({ point, code: await killed.exit() }).toEqual({ point, code: null });
      }
      const url = await start(bootstrap).ready();
      expect(await made(database.url)).toEqual(whole);
      expect(await statusOf(url, apiKey)).toBe(200);
    }, 180_000);
  });

  it('with nothing set is finished by the next one, wherever it was killed', async () => {
    const shown: string[] = [];
    for (const point of START_FAILPOINTS) {
      const killed = start(failingAt([point], 'kill'));
      expect({ point, code: await killed.exit() }).toEqual({ point, code: null });
      const key = KEY.exec(killed.text)?.[0];
      if (key) shown.push(key);
    }
    const prosa = start({});
    const url = await prosa.ready();
    const last = KEY.exec(prosa.text)?.[0] ?? '';
    const conversation = /\/api\/conversations\/([\w-]+)\/messages/.exec(prosa.text)?.[1];
    const answer = await fetch(`${url}/api/conversations/${conversation}/messages`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"message":"Olá! O que é a Prosa?"}',
    });
    expect(answer.status).toBe(200);
    // The one whose process was killed before it could note that it had been shown.
    expect(shown).toHaveLength(1);
    expect(await statusOf(url, shown[0] ?? '')).toBe(401);
    expect(await statusOf(url, last)).toBe(200);
    const database = await EmbeddedPostgres.start({ dataDir, joinRunning: true, log: () => undefined });
    expect(await made(database.url)).toEqual({
      accounts: 1,
      keys: 1,
      credits: 1,
      balance: '10000000',
      assistants: 1,
      conversations: 1,
    });

    expect(await prosa.stop()).toBe(0);
    const again = start({});
    expect(await statusOf(await again.ready(), last)).toBe(200);
    expect(again.text).not.toMatch(KEY);
  }, 240_000);
});
