import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { migratePlugins } from '../../src/database/preparation/migrate-plugins.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

class LockedNotes1767225600000 {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE locked_notes (id integer, user_id integer REFERENCES users (id))');
    await runner.query('CREATE INDEX locked_calls_idx ON calls (created_at)');
  }
  down = () => Promise.resolve();
}

describe('migrations of plugins', () => {
  let database: TestDatabase;
  let report: Client;
  let client: Client;

  beforeAll(async () => {
    database = await cloneDatabase();
    [report, client] = [database.url, database.url].map(
      (connectionString) => new Client({ connectionString }),
    ) as [Client, Client];
    await Promise.all([report.connect(), client.connect()]);
  });
  afterAll(async () => {
    await Promise.all([report.end(), client.end()]);
    await database.drop();
  });

  it('give a table up that is in use, and do not make those wait who come after them', async () => {
    await report.query('BEGIN; LOCK TABLE calls IN ROW EXCLUSIVE MODE');
    const migrated = migratePlugins(database.url, [
      { name: 'locked', migrations: [LockedNotes1767225600000] },
    ]);
    const waiting = async () =>
      (await client.query(`SELECT FROM pg_locks WHERE relation = 'calls'::regclass AND NOT granted`))
        .rowCount;
    await until(async () => (await waiting()) === 1, 20_000);
    // Behind a migration that has queued for its lock this would wait for the report, which goes on.
    await client.query('BEGIN; LOCK TABLE calls IN ROW EXCLUSIVE MODE; COMMIT');
    await report.query('COMMIT');
    expect(await migrated).toEqual(['LockedNotes1767225600000']);
    expect((await client.query("SELECT to_regclass('locked_calls_idx') AS index")).rows).toEqual([
      { index: 'locked_calls_idx' },
    ]);
  }, 60_000);
});
