import { expect, test } from '@jest/globals';
import { cloneDatabase } from './database.js';
import { query } from './embedded-postgres.js';

test('two clones share nothing', async () => {
  const begunMs = performance.now();
  const one = await cloneDatabase();
  const elapsedMs = performance.now() - begunMs;
  const other = await cloneDatabase();
  process.stdout.write(`clone of the template: ${Math.round(elapsedMs)} ms\n`);
  await query(one.url, 'create table mark (n int)');
  await expect(query(other.url, 'select * from mark')).rejects.toThrow('relation "mark" does not exist');
  await Promise.all([one.drop(), other.drop()]);
});

test('a database is dropped under a connected client', async () => {
  const { url, drop } = await cloneDatabase();
  const waiting = query(url, 'select pg_sleep(30)').catch((error: Error) => error.message);
  const sleeping =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
  while ((await query(url, sleeping)).length === 0);
  await drop();
  expect(await waiting).toBe('terminating connection due to administrator command');
  await expect(query(url, 'select 1')).rejects.toThrow('does not exist');
});
