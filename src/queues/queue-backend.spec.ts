import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type Pool } from 'pg';
import { cloneDatabase, type TestDatabase } from '../../test/support/database.js';
import { openQueueBackend } from './queue-backend.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await cloneDatabase();
});

afterAll(() => database.drop());

describe('the queue backend on PostgreSQL', () => {
  it('survives the loss of a connection that is lent to a transaction', async () => {
    const backend = openQueueBackend(database.url, undefined, 1);
    const pool = backend.connection as Pool;
    const other = new Client({ connectionString: database.url });
    await other.connect();
    const lent = await pool.connect();
    const { rows } = await lent.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const ended = new Promise<void>((resolve) => lent.once('end', resolve));

    await other.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    await ended;
    lent.release(true);

    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await other.end();
    await backend.close();
  });
});
