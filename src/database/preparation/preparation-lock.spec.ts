import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.js';
import { until } from '../../../test/support/until.js';
import { PreparationTimeoutError, whilePreparing } from './preparation-lock.js';

describe('preparing the database', () => {
  let database: TestDatabase;
  const prepare = <T>(work: () => Promise<T>, lines: string[] = [], limitMs?: number) =>
    whilePreparing({ databaseUrl: database.url, say: (line) => void lines.push(line), limitMs }, work);
  /** Holds the lock until its end is called. */
  const begin = async () => {
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    let hasBegun = false;
    const done = prepare(() => {
      hasBegun = true;
      return over;
    });
    await until(() => hasBegun);
    return async () => {
      end();
      await done;
    };
  };

  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(() => database.drop());

  it('is done by one at a time, and the result is handed on', async () => {
    let running = 0;
    let most = 0;
    const results = await Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        prepare(async () => {
          most = Math.max(most, ++running);
          await sleep(20);
          running--;
          return n;
        }),
      ),
    );
    expect(results).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(1);
  });

  it('is free again after work that failed', async () => {
    await expect(prepare(() => Promise.reject(new Error('no space left')))).rejects.toThrow('no space left');
    expect(await prepare(async () => 'next')).toBe('next');
  });

  it('says once, after two seconds, that it waits for another', async () => {
    const end = await begin();
    const lines: string[] = [];
    const waiting = prepare(async () => 'mine', lines);
    await sleep(1_000);
    expect(lines).toEqual([]);
    await until(() => lines.length > 0);
    await sleep(500);
    await end();
    expect(await waiting).toBe('mine');
    expect(lines).toEqual(['Another Prosa is preparing the database: waiting for it…']);
  });

  it('does not wait for ever, and ends in a sentence', async () => {
    const end = await begin();
    const refused = prepare(async () => 'mine', [], 300);
    await expect(refused).rejects.toThrow(PreparationTimeoutError);
    await end();
  });

  it('lets an index be made concurrently by the one, while another waits', async () => {
    const end = await begin();
    const waiting = prepare(async () => 'mine');
    await sleep(300);
    const client = new Client({ connectionString: database.url, statement_timeout: 5_000 });
    await client.connect();
    await client.query('CREATE INDEX CONCURRENTLY preparation_idx ON users (name)');
    await client.end();
    await end();
    expect(await waiting).toBe('mine');
  });
});
