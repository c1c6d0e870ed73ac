import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { MIN_CONNECTIONS } from '../../src/database/pool/connection-shares.js';
import { TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { until } from '../support/until.js';

const CALLS = 10;
const LOOK_EVERY_MS = 5;

/** Counts the connections of an application until it is stopped; returns the largest number at once. */
async function watchConnections(url: string): Promise<() => Promise<number>> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const stopped = new AbortController();
  const watching = (async () => {
    let most = 0;
    while (!stopped.signal.aborted) {
      const { rows } = await client.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      most = Math.max(most, rows[0]?.count ?? 0);
      await sleep(LOOK_EVERY_MS);
    }
    return most;
  })();
  return async () => {
    stopped.abort();
    try {
      return await watching;
    } finally {
      await client.end();
    }
  };
}

describe('the connections of a process with all roles', () => {
  it.each([MIN_CONNECTIONS, 16])(
    'are never more than DATABASE_POOL_SIZE, and calls do not wait for one another with %i',
    async (connections) => {
      const app = await TestApp.start({
        PROSA_ROLES: 'api,worker',
        SANDBOX_SPEED: '50',
        DATABASE_POOL_SIZE: String(connections),
      });
      const stopWatching = await watchConnections(app.database.url);
      const owner = await app.account({ balanceUsd: 100 });
      const { id } = await createAssistant(app, owner, { type: 'outbound' });
      await Promise.all(
        Array.from({ length: CALLS }, (_, i) =>
          app
            .as(owner)
            .post('/api/user/make_call')
            .send({ phone_number: `+551193${10_000 + i}00`, assistant_id: id })
            .expect(200),
        ),
      );
      const statuses = () => app.query<{ status: string }>('SELECT DISTINCT status FROM calls');

      await until(async () => (await statuses()).every(({ status }) => status === 'completed'), 60_000);

      expect(await app.query('SELECT count(*)::integer AS count FROM calls')).toEqual([{ count: CALLS }]);
      expect(await stopWatching()).toBeLessThanOrEqual(connections);
      await app.stop();
    },
    120_000,
  );
});
