import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Database } from '../../src/database/database.js';
import { TestApp } from '../support/app.js';
import { until } from '../support/until.js';

describe('a statement of its own that is the victim of a deadlock', () => {
  let app: TestApp;
  let other: Client;

  beforeAll(async () => {
    app = await TestApp.start();
    other = new Client({ connectionString: app.database.url });
    await other.connect();
  });
  afterAll(async () => {
    await other.end();
    await app.stop();
  });

  it('is run again without an error', async () => {
    const database = app.app.get(Database);
    await database.query(
      'CREATE TABLE locked (id integer PRIMARY KEY, part_of integer REFERENCES locked ON DELETE CASCADE)',
    );
    await database.query('INSERT INTO locked VALUES (1, NULL), (2, 1)');
    // Locks the part first, then the whole; a deletion locks them in the opposite order.
    await other.query('BEGIN');
    await other.query('UPDATE locked SET id = id WHERE id = 2');
    const deleted = database.query('DELETE FROM locked WHERE id = 1 RETURNING id');
    await until(
      async () =>
        (
          await database.query(
            `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
        ).length === 1,
    );
    // Who has waited for a second looks for a deadlock: where this takes so long, it is the victim itself.
    await other.query('UPDATE locked SET id = id WHERE id = 1').catch((error: { code?: string }) => {
      if (error.code !== '40P01') throw error;
    });
    await other.query('COMMIT');

    expect(await deleted).toEqual([{ id: 1 }]);
    expect(await database.query('SELECT id FROM locked')).toEqual([]);
  });
});
