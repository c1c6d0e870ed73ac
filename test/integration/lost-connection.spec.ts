import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Database } from '../../src/database/database.js';
import { DatabaseUnavailableError } from '../../src/database/outages/database-unavailable.error.js';
import { TestApp } from '../support/app.js';
import { until } from '../support/until.js';

describe('a connection to the database that is lost', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('ends no process when it is lost the moment it is lent, before the borrower listens', async () => {
    const pool = (app.app.get(DataSource).driver as PostgresDriver).master as Pool;
    const lent = await pool.connect();
    const loss = Object.assign(new Error('terminating connection due to unexpected postmaster exit'), {
      code: '57P01',
    });

    // An error event without a listener is thrown.
    expect(() => lent.emit('error', loss)).not.toThrow();
    lent.release(loss);

    await expect(app.query('SELECT 1 AS one')).resolves.toEqual([{ one: 1 }]);
  });

  it('is an outage too when it is lost between two statements of a transaction', async () => {
    const database = app.app.get(Database);
    const work = database.run(async (tx) => {
      const [mine] = await database.query<{ pid: number }>('SELECT pg_backend_pid() AS pid', [], tx);
      await app.query('SELECT pg_terminate_backend($1)', [mine?.pid]);
      await until(() => database.manager(tx).queryRunner?.isReleased === true);
      await database.query('SELECT 1', [], tx);
    });

    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
  });
});
