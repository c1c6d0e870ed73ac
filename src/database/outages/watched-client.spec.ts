import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.js';
import { DatabaseProxy } from '../../../test/support/database-proxy.js';
import { QueueClient } from '../../queues/backend/queue-client.js';
import { openDatabaseSession } from '../connections/database-session.js';
import { WatchedClient } from './watched-client.js';

const LIMIT_MS = 500;
const CLOSED_AFTER_MS = LIMIT_MS + 5_000;
const LOST = 'Connection terminated unexpectedly';

describe('a database host that dies without a word', () => {
  let database: TestDatabase;
  const proxies: DatabaseProxy[] = [];
  /** The cases wait for seconds, so they run at the same time. */
  let cases: {
    readonly requestPool: ReturnType<typeof losePoolConnection>;
    readonly queuePool: ReturnType<typeof losePoolConnection>;
    readonly session: ReturnType<typeof loseSession>;
    readonly unlimited: ReturnType<typeof waitWithoutLimit>;
  };

  beforeAll(async () => {
    database = await cloneDatabase();
    cases = {
      requestPool: losePoolConnection(WatchedClient),
      queuePool: losePoolConnection(QueueClient),
      session: loseSession(),
      unlimited: waitWithoutLimit(),
    };
    await Promise.allSettled(Object.values(cases));
  });
  afterAll(async () => {
    for (const proxy of proxies) await proxy.stop();
    await database.drop();
  });

  async function openProxy(): Promise<DatabaseProxy> {
    const proxy = await DatabaseProxy.start(database.url);
    proxies.push(proxy);
    return proxy;
  }

  const failureOf = (query: Promise<unknown>) =>
    query.then(
      () => null,
      (error: Error) => error.message,
    );

  async function losePoolConnection(client: typeof WatchedClient) {
    const proxy = await openProxy();
    const pool = new Pool({
      connectionString: proxy.url,
      Client: client,
      statement_timeout: LIMIT_MS,
      max: 1,
    });
    await pool.query('SELECT 1');
    proxy.fallSilent();
    const askedAt = performance.now();
    const failure = await failureOf(pool.query('SELECT 2'));
    const tookMs = performance.now() - askedAt;
    const { rows: next } = await pool.query('SELECT 3 AS three');
    await pool.end();
    return { failure, tookMs, next };
  }

  async function loseSession() {
    const proxy = await openProxy();
    const session = await openDatabaseSession(proxy.url, { statementTimeoutMs: LIMIT_MS });
    proxy.fallSilent();
    const failures = await Promise.all([1, 2].map((n) => failureOf(session.query('SELECT $1::int', [n]))));
    return { failures, isLost: session.isLost() };
  }

  async function waitWithoutLimit() {
    const { url } = await openProxy();
    const session = await openDatabaseSession(url, { statementTimeoutMs: 0 });
    const idle = new WatchedClient({ connectionString: url, statement_timeout: LIMIT_MS });
    await idle.connect();
    await session.query('SELECT pg_sleep($1)', [CLOSED_AFTER_MS / 1_000 + 1]);
    const { rows } = await idle.query('SELECT 1 AS one');
    await Promise.all([session.close(), idle.end()]);
    return rows;
  }

  it.each([
    ['of requests and jobs', 'requestPool'],
    ['of the job queue', 'queuePool'],
  ] as const)(
    'costs the pool %s a connection five seconds after the limit of its statement',
    async (_title, name) => {
      const { failure, tookMs, next } = await cases[name];
      expect(failure).toBe(LOST);
      expect(tookMs).toBeGreaterThan(LIMIT_MS);
      expect(tookMs).toBeLessThan(CLOSED_AFTER_MS + 2_000);
      expect(next).toEqual([{ three: 3 }]);
    },
  );

  it('ends a session, and all that waits in it', async () => {
    const { failures, isLost } = await cases.session;
    expect(failures).toEqual([expect.any(String), expect.any(String)]);
    expect(isLost).toBe(true);
  });

  it('is not confused with statements that may take long, or with an idle connection', async () => {
    expect(await cases.unlimited).toEqual([{ one: 1 }]);
  });
});
