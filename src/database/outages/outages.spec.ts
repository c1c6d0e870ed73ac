import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseError } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseUnavailableError } from './database-unavailable.error.js';
import { isPlainRead, readingTwice, tellOutages } from './outages.js';

describe('a statement that may be repeated', () => {
  it.each([
    'SELECT 1',
    '  select id from leads where id = $1',
    '\n      SELECT "user"."id", "user"."updated_at" FROM "users" "user" WHERE "user"."deleted_at" IS NULL LIMIT 1',
    'WITH due AS (SELECT id FROM leads) SELECT count(*) FROM due',
    "SELECT pg_xact_status('7'::xid8) AS status",
  ])('only reads: %s', (sql) => {
    expect(isPlainRead(sql)).toBe(true);
  });

  it.each([
    ['adds', 'INSERT INTO folders (name) VALUES ($1)'],
    ['changes', 'UPDATE wallets SET balance_micros = balance_micros + $1'],
    ['deletes', 'DELETE FROM leads'],
    ['only begins like a read', 'SELECTED'],
    ['merges', 'MERGE INTO leads USING new ON true WHEN MATCHED THEN DO NOTHING'],
    [
      'changes beneath a SELECT',
      'WITH paid AS (UPDATE wallets SET held_micros = 0 RETURNING id) SELECT * FROM paid',
    ],
    ['adds beneath a SELECT', 'WITH a AS (insert into leads default values returning id) SELECT id FROM a'],
    [
      'deletes beneath a SELECT',
      'WITH gone AS (\nDELETE FROM leads RETURNING id)\nSELECT count(*) FROM gone',
    ],
    ['makes a table', 'SELECT * INTO copy FROM leads'],
    ['takes a number', "SELECT nextval('leads_id_seq')"],
    ['sets a number', "SELECT setval('leads_id_seq', 7)"],
    ['locks rows', 'SELECT id FROM leads FOR UPDATE SKIP LOCKED'],
    ['locks rows against changes', 'SELECT id FROM leads FOR NO KEY UPDATE'],
    ['shares rows', 'SELECT FROM users WHERE id = $1 FOR SHARE'],
    ['shares keys', 'SELECT FROM users WHERE id = $1 FOR KEY SHARE'],
    ['takes a lock of the session', 'SELECT pg_try_advisory_lock($1)'],
    ['takes a lock of the transaction', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'],
    ['gives a lock back', 'SELECT pg_advisory_unlock($1)'],
    ['tells others', "SELECT pg_notify('changed', $1)"],
    ['sets the session', "SELECT set_config('search_path', $1, false)"],
    ['sets the session by a command', 'SET statement_timeout = 0'],
    ['begins a transaction', 'START TRANSACTION'],
    ['commits', 'COMMIT'],
    ['listens', 'LISTEN changed'],
    ['says what it does only after a comment', '/* read */ SELECT 1'],
  ])('is none that %s', (_what, sql) => {
    expect(isPlainRead(sql)).toBe(false);
  });
});

function failure(code: string, message = 'failed'): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}

describe('a read', () => {
  it.each([
    ['when its connection was lost', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['when the driver lost its connection', new Error('Connection terminated unexpectedly')],
    ['when the server was shut down', failure('57P01')],
  ])('is tried once more %s', async (_when, error) => {
    const onOutage = jest.fn();
    const read = jest.fn<() => Promise<string>>().mockRejectedValueOnce(error).mockResolvedValueOnce('rows');
    expect(await readingTwice(read, onOutage)).toBe('rows');
    expect(onOutage).toHaveBeenCalledTimes(1);
  });

  it('fails when its second connection is lost as well', async () => {
    const read = jest.fn<() => Promise<string>>().mockRejectedValue(failure('57P01'));
    await expect(readingTwice(read, () => undefined)).rejects.toThrow(DatabaseUnavailableError);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['the disk is full', failure('53100')],
    ['there are too many connections', failure('53300')],
    ['it took too long', failure('57014')],
    ['no connection was free in time', new Error('timeout exceeded when trying to connect')],
  ])('is not tried again when %s, and the outage is reported', async (_when, error) => {
    const onOutage = jest.fn();
    const read = jest.fn<() => Promise<string>>().mockRejectedValue(error);
    await expect(readingTwice(read, onOutage)).rejects.toThrow(DatabaseUnavailableError);
    expect(read).toHaveBeenCalledTimes(1);
    expect(onOutage).toHaveBeenCalledTimes(1);
  });

  it('that is itself at fault fails as it did, and is no outage', async () => {
    const onOutage = jest.fn();
    const error = failure('42P01');
    const read = jest.fn<() => Promise<string>>().mockRejectedValue(error);
    await expect(readingTwice(read, onOutage)).rejects.toBe(error);
    expect(read).toHaveBeenCalledTimes(1);
    expect(onOutage).not.toHaveBeenCalled();
  });
});

describe('a data source that tells outages', () => {
  const onOutage = jest.fn();
  const query = jest.fn<(sql: string, parameters?: unknown[], structured?: boolean) => Promise<string>>();
  const release = jest.fn<() => Promise<void>>();
  const connect = jest.fn<() => Promise<string>>();
  const modes: unknown[] = [];
  const LOST = failure('57P01');

  beforeEach(() => {
    modes.length = 0;
    for (const mock of [query, release, connect]) mock.mockReset();
  });

  function runnerOf(isTransactionActive = false) {
    const driver = {
      createQueryRunner(mode: string) {
        modes.push(mode);
        return { isTransactionActive, connect, query, release };
      },
    };
    return tellOutages({ driver } as unknown as DataSource, onOutage).driver.createQueryRunner('master');
  }

  it('reads once more on another connection, which it gives back', async () => {
    query.mockRejectedValueOnce(LOST).mockResolvedValueOnce('rows');
    expect(await runnerOf().query('SELECT $1', [1])).toBe('rows');
    expect(query.mock.calls.map((call) => call.slice(0, 2))).toEqual([
      ['SELECT $1', [1]],
      ['SELECT $1', [1]],
    ]);
    expect(modes).toEqual(['master', 'master']);
    expect(release).toHaveBeenCalledTimes(1);
  });

  it('gives the other connection back also when that was lost too', async () => {
    query.mockRejectedValue(LOST);
    await expect(runnerOf().query('SELECT 1')).rejects.toMatchObject({ outage: 'lost' });
    expect(release).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a write', 'UPDATE calls SET status = 1', false],
    ['a read in a transaction', 'SELECT 1', true],
  ])('does not repeat %s', async (_title, sql, inTransaction) => {
    query.mockRejectedValue(LOST);
    await expect(runnerOf(inTransaction).query(sql)).rejects.toMatchObject({ outage: 'lost' });
    expect(query).toHaveBeenCalledTimes(1);
    expect(onOutage).toHaveBeenCalledTimes(1);
  });

  it('tells when it cannot connect', async () => {
    connect.mockRejectedValueOnce(LOST).mockResolvedValueOnce('connection');
    await expect(runnerOf().connect()).rejects.toMatchObject({ outage: 'lost' });
    expect(await runnerOf().connect()).toBe('connection');
  });
});
