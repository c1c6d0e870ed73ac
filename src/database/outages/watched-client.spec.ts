import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.js';
import { DatabaseProxy } from '../../../test/support/database-proxy.js';
import { QueueClient } from '../../queues/backend/queue-client.js';
import { openDatabaseSession } from '../connections/database-session.js';
import { WatchedClient } from './watched-client.js';

const LIMIT_MS = 500;
const CLOSED_AFTER_MS = LIMIT_MS + 5_000;

describe('a database host that dies without a word', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;

  beforeAll(async () => {
    database = await cloneDatabase();
    proxy = await DatabaseProxy.start(database.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await database.drop();
  });

  it.each([
    ['of requests and jobs', WatchedClient],
    ['of the job queue', QueueClient],
  ])(
    'costs the pool %s a connection five seconds after the limit of its statement',
    async (_title, client) => {
      const pool = new Pool({
        connectionString: proxy.url,
        Client: client,
        statement_timeout: LIMIT_MS,
        max: 1,
      });
      await pool.query('SELECT 1');
      proxy.fallSilent();
      const askedAt = performance.now();

      await expect(pool.query('SELECT 2')).rejects.toThrow('Connection terminated unexpectedly');
      const tookMs = performance.now() - askedAt;
      expect(tookMs).toBeGreaterThan(LIMIT_MS);
      expect(tookMs).toBeLessThan(CLOSED_AFTER_MS + 2_000);
      expect((await pool.query('SELECT 3 AS three')).rows).toEqual([{ three: 3 }]);
      await pool.end();
    },
  );

  it('ends a session, and all that waits in it', async () => {
    const session = await openDatabaseSession(proxy.url, { statementTimeoutMs: LIMIT_MS });
    proxy.fallSilent();

    const waiting = [1, 2].map((n) => session.query('SELECT $1::int', [n]));
    for (const each of waiting) await expect(each).rejects.toThrow();
    expect(session.isLost()).toBe(true);
  });

  it('is not confused with statements that may take long, or with an idle connection', async () => {
    const session = await openDatabaseSession(proxy.url, { statementTimeoutMs: 0 });
    const idle = new WatchedClient({ connectionString: proxy.url, statement_timeout: LIMIT_MS });
    await idle.connect();

    await session.query('SELECT pg_sleep($1)', [CLOSED_AFTER_MS / 1_000 + 1]);
    expect((await idle.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await Promise.all([session.close(), idle.end()]);
  });
});
