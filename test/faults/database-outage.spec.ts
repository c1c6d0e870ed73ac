import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import type request from 'supertest';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, toolBody } from '../support/builders.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { until } from '../support/until.js';

const LANES = 8;

/** Requests of each kind: reads, writes, a log-in, messages that cost money, one of each family of routes. */
class Load {
  readonly statuses = new Map<number, number>();
  readonly refusals: { retryAfter: unknown; body: unknown }[] = [];
  private readonly failures: unknown[] = [];
  private isOver = false;
  private lanes: Promise<void>[] = [];

  private constructor(private readonly kinds: (() => request.Test)[]) {}

  static async on(app: TestApp, owner: TestAccount): Promise<Load> {
    const { uuid } = await createAssistant(app, owner, { type: 'outbound' });
    const { body } = await app.http.post('/api/conversations').send({ assistant_id: uuid }).expect(200);
    const as = app.as(owner);
    const chat = `/api/conversations/${body.conversation_id}`;
    let named = 0;
    const name = () => `tool_${'abcdefghij'[Math.floor(++named / 10) % 10]}${'abcdefghij'[named % 10]}`;
    return new Load([
      () => as.get('/api/user/me'),
      () => as.get('/api/user/calls?per_page=5'),
      () => as.get('/api/user/knowledgebases'),
      () => as.post('/api/user/tools').send(toolBody({ name: name() })),
      () => as.post('/api/user/knowledgebases').send({ name: 'Base' }),
      () => as.post('/api/user/campaigns/update-status').send({ campaign_id: 1, action: 'start' }),
      () => as.post('/api/automate/conversations/00000000-0000-4000-8000-000000000000/disable-ai'),
      () => app.http.post('/api/auth/login').send({ email: owner.email, password: 'wrong password' }),
      () => app.http.post(`${chat}/messages`).send({ message: 'Olá' }),
      () => app.http.get(chat),
    ]);
  }

  begin(): void {
    this.lanes = Array.from({ length: LANES }, (_, lane) =>
      this.run(lane).catch((error: unknown) => void this.failures.push(error)),
    );
  }

  /** The answers are held against the OpenAPI document as they come. */
  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.lanes);
    expect(this.failures).toEqual([]);
  }

  get hasFailed(): boolean {
    return this.failures.length > 0;
  }

  count(status: number): number {
    return this.statuses.get(status) ?? 0;
  }

  private async run(lane: number): Promise<void> {
    for (let turn = lane; !this.isOver; turn++) {
      const send = this.kinds[turn % this.kinds.length];
      if (!send) return;
      const { status, headers, body } = await send();
      this.statuses.set(status, this.count(status) + 1);
      if (status === 503) this.refusals.push({ retryAfter: headers['retry-after'], body });
      await sleep(2);
    }
  }
}

const now = performance.now.bind(performance);

/** Puts the clock that never goes back, by which the product knows how long ago something was, ahead of the machine's. */
const timeIsAheadBy = (ms: number) => jest.spyOn(performance, 'now').mockImplementation(() => now() + ms);

const isReady = async (app: TestApp) => (await app.http.get('/health/ready')).status === 200;

/** As bodies of the three families of errors say it. */
const UNAVAILABLE = [
  { message: expect.any(String) },
  { error: expect.any(String) },
  { status: false, error: expect.any(String) },
  { message: expect.any(String), success: false },
];

describe('while the database is away', () => {
  let proxy: DatabaseProxy;
  let app: TestApp;
  let admin: Client;
  let blocker: Client;
  let owner: TestAccount;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-outage-'));
    app = await TestApp.start(
      { PROSA_ROLES: 'api,worker', DATA_DIR: dataDir, SANDBOX_SPEED: '100' },
      async (url) => {
        proxy = await DatabaseProxy.start(url);
        return proxy.url;
      },
    );
    admin = new Client({ connectionString: app.database.url, application_name: 'test' });
    await admin.connect();
    blocker = new Client({ connectionString: app.database.url, application_name: 'test' });
    await blocker.connect();
    owner = await app.account({ balanceUsd: 100, password: 'correct horse battery' });
  }, 60_000);
  afterAll(async () => {
    await proxy.comeBack();
    await admin.end();
    await blocker.end();
    await app.stop();
    await proxy.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 60_000);

  const expectBalance = async () => {
    const [row] = await app.query<{ balance: string; ledger: string; held: string }>(
      `SELECT balance_micros AS balance, held_micros AS held,
         (SELECT sum(amount_micros) FROM ledger_entries WHERE user_id = $1) AS ledger
       FROM wallets WHERE user_id = $1`,
      [owner.userId],
    );
    expect(row?.balance).toBe(row?.ledger);
  };

  it('answers 503 with Retry-After in the shape of each family of routes, and never 500', async () => {
    const load = await Load.on(app, owner);
    expect(await isReady(app)).toBe(true);
    load.begin();
    await sleep(500);
    await proxy.goAway();
    await until(async () => load.count(503) > 100 || load.hasFailed, 20_000);
    expect(await isReady(app)).toBe(false);
    await proxy.comeBack();
    await until(() => isReady(app), 20_000);
    await sleep(500);
    await load.end();

    expect(Object.fromEntries(load.statuses)).not.toHaveProperty('500');
    for (const { retryAfter, body } of load.refusals) {
      expect(retryAfter).toBe('1');
      expect(UNAVAILABLE).toContainEqual(body);
    }
    const shapes = new Set(load.refusals.map(({ body }) => Object.keys(body as object).join()));
    expect([...shapes].sort((a, b) => a.localeCompare(b))).toEqual([
      'error',
      'message',
      'message,success',
      'status,error',
    ]);
    await app.as(owner).get('/api/user/me').expect(200);
    await expectBalance();
  }, 90_000);

  it('goes on without a single 500 while back ends are terminated again and again', async () => {
    const load = await Load.on(app, owner);
    load.begin();
    for (let storm = 0; storm < 30; storm++) {
      await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE 'prosa%'`,
      );
      await sleep(100);
    }
    await load.end();
    expect(Object.fromEntries(load.statuses)).not.toHaveProperty('500');
    expect(load.count(200)).toBeGreaterThan(0);
    await until(() => isReady(app));
    await expectBalance();
  }, 90_000);

  it('reads again what one lost connection kept from being read, and never writes again', async () => {
    const terminateNext = async (during: string, send: () => request.Test) => {
      await blocker.query('BEGIN');
      await blocker.query(`LOCK TABLE ${during} IN ACCESS EXCLUSIVE MODE`);
      const answer = send().then((response) => response);
      await until(async () => {
        const { rowCount } = await admin.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'
           AND datname = current_database() AND application_name = 'prosa' AND query ILIKE '%${during}%'`,
        );
        return (rowCount ?? 0) > 0;
      });
      await blocker.query('COMMIT');
      return answer;
    };
    const read = await terminateNext('knowledgebases', () => app.as(owner).get('/api/user/knowledgebases'));
    expect(read.status).toBe(200);
    const [before] = await app.query<{ n: number }>('SELECT count(*)::int AS n FROM folders');
    const written = await terminateNext('folders', () =>
      app.as(owner).post('/api/user/folder').send({ name: 'Pasta' }),
    );
    expect(written.status).toBe(503);
    expect(await app.query('SELECT count(*)::int AS n FROM folders')).toEqual([before]);
  }, 60_000);
});

describe('a pool that is too small', () => {
  it('answers 503 to those that get no connection in time, and the others when theirs is free', async () => {
    const app = await TestApp.start({ DATABASE_POOL_SIZE: '4' });
    const blocker = new Client({ connectionString: app.database.url });
    await blocker.connect();
    try {
      const owner = await app.account();
      await app.as(owner).get('/api/user/folders').expect(200);
      await blocker.query('BEGIN');
      await blocker.query('LOCK TABLE folders IN ACCESS EXCLUSIVE MODE');
      const answers = Promise.all(
        Array.from({ length: 30 }, () =>
          app
            .as(owner)
            .get('/api/user/folders')
            .then(({ status }) => status),
        ),
      );
      await until(async () => !(await isReady(app)), 20_000);
      await sleep(12_000);
      await blocker.query('ROLLBACK');
      const statuses = await answers;
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      expect(statuses.filter((status) => status === 200).length).toBeLessThan(5);
      expect(await isReady(app)).toBe(true);
    } finally {
      await blocker.end();
      await app.stop();
    }
  }, 60_000);
});

describe('a database that answers and lacks disk, memory or connections', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(['53100', '53200', '53300'])(
    'turns readiness red after %s, though reads succeed, and green when it was not seen for a while',
    async (state) => {
      const app = await TestApp.start();
      try {
        const owner = await app.account();
        await app.query(
          `CREATE FUNCTION lack() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'lacking' USING ERRCODE = '${state}'; END $$`,
        );
        await app.query('CREATE TRIGGER lack BEFORE INSERT ON folders EXECUTE FUNCTION lack()');
        expect(await isReady(app)).toBe(true);
        const refused = await app.as(owner).post('/api/user/folder').send({ name: 'Pasta' }).expect(503);
        expect(refused.headers['retry-after']).toBe('1');
        expect(await isReady(app)).toBe(false);
        await app.as(owner).get('/api/user/me').expect(200);
        expect(await isReady(app)).toBe(false);
        timeIsAheadBy(5_000);
        expect(await isReady(app)).toBe(false);
        timeIsAheadBy(10_000);
        expect(await isReady(app)).toBe(true);
      } finally {
        await app.stop();
      }
    },
    60_000,
  );
});
