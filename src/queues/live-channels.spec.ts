import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '../../test/support/database.js';
import { DatabaseProxy } from '../../test/support/database-proxy.js';
import { until } from '../../test/support/until.js';
import { JobNotifications } from './backend/job-notifications.js';
import { PostgresLiveChannel } from './live-channels.js';

const AWAY_MS = 3_500;

describe('the live channel on PostgreSQL', () => {
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

  it('looks once a second for a database that is away, and subscribes once when it is back', async () => {
    const pool = new Pool({ connectionString: database.url, max: 1 });
    const notifications = new JobNotifications(proxy.url);
    const live = new PostgresLiveChannel(pool, notifications);
    const heard: string[] = [];
    let gaps = 0;
    live.listen(
      (text) => void heard.push(text),
      () => void gaps++,
    );
    await until(() => gaps === 1);
    const attempts = jest.spyOn(Client.prototype, 'connect');

    await proxy.goAway();
    await sleep(AWAY_MS);
    expect(attempts.mock.calls.length).toBeGreaterThan(1);
    expect(attempts.mock.calls.length).toBeLessThan(6);
    attempts.mockRestore();
    proxy.statements = [];
    await proxy.comeBack();
    await until(() => gaps === 2);
    await live.publish('changed');
    await until(() => heard.length > 0);

    expect(proxy.statements).toEqual(['LISTEN prosa_live']);
    expect({ gaps, heard }).toEqual({ gaps: 2, heard: ['changed'] });
    live.close();
    await notifications.close();
    await pool.end();
  });
});
