import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Queue, Worker } from 'bullmq';
import { Client, type Pool } from 'pg';
import type { ModuleRef } from '@nestjs/core';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { JobCatalog } from '../job-catalog.js';
import { defineSweep, MAINTENANCE_QUEUE } from '../job-definition.js';
import { JobsService } from '../jobs.service.js';
import { MaintenanceRuns } from '../workers/maintenance-runs.js';
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

  it('has a limit of time for its statements, after which a connection that says nothing is closed', async () => {
    const backend = openQueueBackend(database.url, undefined, 1);
    const pool = backend.connection as Pool;
    expect((await pool.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
    await backend.close();
  });

  it('looks for jobs of dead processes only where a job runs, and takes them up there', async () => {
    const dying = openQueueBackend(database.url, undefined, 1);
    const pool = dying.connection as Pool;
    const options = { connection: pool, lockDuration: 300, stalledInterval: 100, drainDelay: 1 };
    const queue = new Queue('stalling', { connection: pool });
    await queue.add('job', {});
    let begin = () => undefined as void;
    const began = new Promise<void>((resolve) => (begin = resolve));
    const dead = new Worker(
      'stalling',
      () => {
        begin();
        return new Promise(() => undefined);
      },
      options,
    );
    const idle = new Worker('idle', () => Promise.resolve(), options);
    await began;
    await dead.close(true);

    const living = openQueueBackend(database.url, undefined, 1);
    const second = new Worker('stalling', () => Promise.resolve(), {
      ...options,
      connection: living.connection,
    });
    await new Promise((resolve) => second.once('completed', resolve));

    const { rows } = await pool.query("SELECT DISTINCT queue FROM meta WHERE field = 'stalled-check'");
    expect(rows).toEqual([{ queue: 'stalling' }]);
    await Promise.all([idle.close(), second.close(), queue.close()]);
    await Promise.all([dying.close(), living.close()]);
  });

  it('has its statements planned once for a connection, and goes on when a function behind one is replaced', async () => {
    const backend = openQueueBackend(database.url, undefined, 1);
    const pool = backend.connection as Pool;
    const ask = () => pool.query('SELECT * FROM answer($1)', [1]);
    await pool.query("CREATE FUNCTION answer(int, OUT a int) LANGUAGE sql AS 'SELECT $1'");
    await ask();
    expect((await ask()).rows).toEqual([{ a: 1 }]);
    const { rows } = await pool.query(
      "SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE '%answer($1)'",
    );
    expect(rows).toEqual([{ count: 1 }]);

    await pool.query('DROP FUNCTION answer');
    await pool.query("CREATE FUNCTION answer(int, OUT b text) LANGUAGE sql AS 'SELECT $1::text'");
    await expect(ask()).rejects.toThrow('cached plan must not change result type');
    expect((await ask()).rows).toEqual([{ b: '1' }]);
    await backend.close();
  });
});

describe('the intervals in the queue', () => {
  const intervals = [5_000, 15_000].map((everyMs) => defineSweep({ name: `sweep-${everyMs}`, everyMs }));
  const catalog = new JobCatalog(intervals);
  const namesOf = async (queue: Queue) => (await queue.getJobSchedulers()).map(({ key }) => key);

  it('are one schedule; that of another interval, which an earlier release has planned, goes with its next run', async () => {
    const backend = openQueueBackend(database.url, undefined, 1);
    const queue = new Queue(MAINTENANCE_QUEUE, { connection: backend.connection });
    const jobs = new JobsService({ get: () => queue } as unknown as ModuleRef, catalog);
    const ran: string[] = [];
    const handlers = intervals.map(({ name }) => [name, { run: async () => void ran.push(name) }] as const);
    const maintenance = new MaintenanceRuns(new Map(handlers), catalog, jobs);
    await queue.upsertJobScheduler('every-15000-ms', { every: 15_000 }, { name: 'every-15000-ms' });

    jobs.keepScheduled();
    await until(async () => (await queue.getJobs(['waiting'])).some(({ name }) => name === 'all-intervals'));
    expect((await namesOf(queue)).sort()).toEqual(['every-15000-ms', 'every-5000-ms']);
    await maintenance.process({ name: 'every-15000-ms', id: 'repeat:every-15000-ms:1', timestamp: 1 });
    expect(ran).toEqual(['sweep-15000']);
    expect(await namesOf(queue)).toEqual(['every-5000-ms']);

    await jobs.beforeApplicationShutdown();
    await queue.close();
    await backend.close();
  });

  it('are planned again when the clock was set back while no process ran', async () => {
    const backend = openQueueBackend(database.url, undefined, 1);
    const queue = new Queue(MAINTENANCE_QUEUE, { connection: backend.connection });
    const jobs = new JobsService({ get: () => queue } as unknown as ModuleRef, catalog);
    const nextMs = async () => ((await queue.getJobScheduler('every-5000-ms'))?.next ?? 0) - Date.now();
    await queue.removeJobScheduler('every-5000-ms');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await queue.upsertJobScheduler('every-5000-ms', { every: 5_000 }, { name: 'every-5000-ms' });
    clock.mockRestore();
    expect(await nextMs()).toBeGreaterThan(3_000_000);

    jobs.keepScheduled();
    await until(async () => (await nextMs()) <= 5_000);

    await jobs.beforeApplicationShutdown();
    await queue.close();
    await backend.close();
  });

  it('begin one after another when they are due together, and a long one does not delay the others', async () => {
    const began: string[] = [];
    let end = () => undefined as void;
    const long = new Promise<void>((resolve) => (end = resolve));
    const run = (name: string, at: number) => () => {
      began.push(name);
      return at === 0 ? long : Promise.resolve();
    };
    const handlers = intervals.map(({ name }, at) => [name, { run: run(name, at) }] as const);
    const maintenance = new MaintenanceRuns(new Map(handlers), catalog, {} as JobsService);
    const running = maintenance.process({ name: 'all-intervals', id: '1', timestamp: 1 });
    await Promise.resolve();
    expect(began).toEqual(['sweep-5000']);
    await until(async () => Promise.resolve(began.length === 2));
    end();
    await running;
    expect(began).toEqual(['sweep-5000', 'sweep-15000']);
  });
});
