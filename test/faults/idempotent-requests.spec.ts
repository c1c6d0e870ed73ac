import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { toolBody } from '../support/builders.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { query } from '../support/embedded-postgres.js';
import { lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

/** At full length some minutes. */
const KEYS = lengthOf(20, 200);
const KILLS = lengthOf(2, 20);
const REPEATS = 8;
const DROPPED = 0.2;
const PROCESSES = 2;
/** A batch of keys is on its way for at most this long when a process is killed. */
const MAX_DELAY_MS = 150;
const DEADLINE_MS = 90_000;

const token = makeToken('prosa_');

interface Answer {
  readonly text: string;
  readonly elapsedMs: number;
}

/** Processes of the product; one that is killed is followed by another. */
class Fleet {
  private urls: string[] = [];
  private running: ProsaProcess[] = [];

  constructor(private readonly database: TestDatabase) {}

  async add(): Promise<void> {
    const prosa = ProsaProcess.start({
      PROSA_ROLES: 'api',
      PORT: '0',
      RATE_LIMITS: 'off',
      DATABASE_URL: this.database.url,
      DATABASE_POOL_SIZE: '10',
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      BOOTSTRAP_EMAIL: 'ana@example.com',
      BOOTSTRAP_API_KEY: token,
    });
    const url = await prosa.ready();
    this.running.push(prosa);
    this.urls.push(url);
  }

  anyUrl(): string {
    return this.urls[Math.floor(Math.random() * this.urls.length)] ?? '';
  }

  async killOldest(): Promise<void> {
    this.urls.shift();
    const prosa = this.running.shift();
    prosa?.kill('SIGKILL');
    await prosa?.exit();
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((prosa) => prosa.stop()));
  }
}

describe('requests with an Idempotency-Key, when replies are dropped and processes killed', () => {
  let database: TestDatabase;
  let fleet: Fleet;

  beforeAll(async () => {
    await buildProduct();
    database = await cloneDatabase();
    await query(database.url, 'UPDATE plans SET max_tools = 100000');
    fleet = new Fleet(database);
    for (let i = 0; i < PROCESSES; i++) await fleet.add();
  }, 180_000);
  afterAll(async () => {
    await fleet.stop();
    await database.drop();
  }, 60_000);

  /** One try; null when the reply did not come. */
  async function post(key: string): Promise<{ status: number; text: string } | null> {
    const isDropped = Math.random() < DROPPED;
    try {
      const response = await fetch(`${fleet.anyUrl()}/api/user/tools`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(toolBody({ description: key })),
        signal: AbortSignal.timeout(isDropped ? Math.random() * 15 : 20_000),
      });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  }

  /** A client that repeats until it has an answer, as one should. */
  async function insist(key: string): Promise<Answer> {
    const begunMs = performance.now();
    while (performance.now() - begunMs < DEADLINE_MS) {
      const answer = await post(key);
      if (answer?.status === 201) return { text: answer.text, elapsedMs: performance.now() - begunMs };
      if (answer && answer.status !== 409 && answer.status < 500) {
        throw new Error(`${key}: ${answer.status} ${answer.text}`);
      }
      await sleep(50 + Math.random() * 100);
    }
    throw new Error(`${key}: no answer in time`);
  }

  it('take effect once a key, and every answer of a key is the same', async () => {
    const answers: Promise<Answer[]>[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await fleet.add();
      for (let n = 0; n < KEYS / KILLS; n++) {
        const key = `key-${kill}-${n}`;
        answers.push(Promise.all(Array.from({ length: REPEATS }, () => insist(key))));
      }
      await sleep(Math.random() * MAX_DELAY_MS);
      await fleet.killOldest();
    }
    const answered = await Promise.all(answers);

    const effects = await query<{ description: string; n: number }>(
      database.url,
      'SELECT description, count(*)::int AS n FROM tools GROUP BY description',
    );
    expect(effects).toHaveLength(KEYS);
    expect(effects.filter(({ n }) => n !== 1)).toEqual([]);
    expect(answered.filter((ofKey) => new Set(ofKey.map(({ text }) => text)).size !== 1)).toEqual([]);
    const interrupted = answered.filter((ofKey) => ofKey.every(({ elapsedMs }) => elapsedMs > 10_000)).length;
    process.stdout.write(`${JSON.stringify({ keys: KEYS, repeats: REPEATS, kills: KILLS, interrupted })}\n`);
  }, 600_000);
});
