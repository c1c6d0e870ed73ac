import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { Client, TypeOverrides, types } from 'pg';
import { toSafeInteger } from '../../src/database/columns.js';
import { cloneDatabase, type TestDatabase } from './database.js';

/** SQL as a value of a row, such as `now() - interval '1 second'`. */
export class Sql {
  constructor(readonly text: string) {}
}

export const sql = (text: string) => new Sql(text);

export type Values = Readonly<Record<string, unknown>>;

/**
 * A time zone in which the day differs from the day in UTC for 14 of 24 hours: a function that reads a day without naming
 * the zone fails.
 */
const SESSION_ZONE = 'Pacific/Kiritimati';

/** A database that is used as it is: `scripts/mutate-sql.mjs` plants its faults there. */
const GIVEN_VARIABLE = 'PROSA_FUNCTION_DATABASE_URL';

/** PostgreSQL looks here before it looks among its own functions. */
const SHADOWS = 'shadows';

/**
 * A database for tests of SQL functions. Each test runs in a transaction of its own, which is rolled back: `now()` does
 * not move within a test, so a row can lie exactly on the boundary of a condition.
 */
export class FunctionDatabase {
  private client: Client | undefined;
  private database: TestDatabase | undefined;

  async open(): Promise<void> {
    const given = process.env[GIVEN_VARIABLE];
    if (!given) this.database = await cloneDatabase();
    this.client = new Client({ connectionString: given ?? this.database?.url, types: NUMBERS });
    await this.client.connect();
    await this.rows("SELECT set_config('timezone', $1, false)", SESSION_ZONE);
    // Servers of tests have it off; a function that sets it off for its commit would not be noticed.
    await this.rows('SET synchronous_commit = on');
  }

  async close(): Promise<void> {
    await this.client?.end();
    await this.database?.drop();
  }

  async rows<Row = Record<string, unknown>>(text: string, ...parameters: readonly unknown[]): Promise<Row[]> {
    if (!this.client) throw new Error('The database is not open.');
    const { rows } = await this.client.query(text, [...parameters]);
    return rows as Row[];
  }

  /** The only row of an answer. */
  async row<Row = Record<string, unknown>>(text: string, ...parameters: readonly unknown[]): Promise<Row> {
    const [row, ...more] = await this.rows<Row>(text, ...parameters);
    if (row === undefined || more.length > 0) throw new Error(`Not one row: ${text}`);
    return row;
  }

  /** The only value of the only row. */
  async value<T = unknown>(text: string, ...parameters: readonly unknown[]): Promise<T> {
    return Object.values(await this.row(text, ...parameters))[0] as T;
  }

  /** Inserts one row and returns it. */
  insert<Row = Record<string, unknown>>(table: string, values: Values): Promise<Row> {
    const parameters: unknown[] = [];
    const given = Object.values(values).map((value) =>
      value instanceof Sql ? value.text : `$${parameters.push(value)}`,
    );
    return this.row<Row>(
      `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${given.join(', ')}) RETURNING *`,
      ...parameters,
    );
  }

  /** Whether a row is locked by the transaction of the test, which has not written it since it was added. */
  isLocked(table: string, condition: string, ...parameters: readonly unknown[]): Promise<boolean> {
    return this.value(`SELECT xmax::text <> '0' FROM ${table} WHERE ${condition}`, ...parameters);
  }

  /** Runs a statement that must fail and returns its message; the transaction goes on. */
  async errorOf(text: string, ...parameters: readonly unknown[]): Promise<string> {
    await this.rows('SAVEPOINT attempt');
    try {
      await this.rows(text, ...parameters);
    } catch (error) {
      await this.rows('ROLLBACK TO SAVEPOINT attempt');
      return error instanceof Error ? error.message : String(error);
    }
    throw new Error(`The statement did not fail: ${text}`);
  }

  /** Lets a function of PostgreSQL, such as `clock_timestamp`, answer what a test says, until the end of the test. */
  async fix(name: string, type: string, value: string): Promise<void> {
    await this.rows(`CREATE SCHEMA IF NOT EXISTS ${SHADOWS}`);
    await this.rows(
      `CREATE OR REPLACE FUNCTION ${SHADOWS}.${name}() RETURNS ${type} LANGUAGE sql VOLATILE AS 'SELECT ${value}'`,
    );
    await this.rows(`SET LOCAL search_path = ${SHADOWS}, public, pg_catalog`);
  }

  /** Lets `now()` be this moment until the end of the test, for functions and for the statements of the test. */
  fixNow(moment: string): Promise<void> {
    return this.fix('now', 'timestamptz', `timestamptz ''${moment}''`);
  }
}

/** Numbers of any width, which the driver gives as text. */
const NUMBERS = new TypeOverrides();
NUMBERS.setTypeParser(types.builtins.INT8, toSafeInteger);
NUMBERS.setTypeParser(types.builtins.NUMERIC, toSafeInteger);

/** Opens a database for the tests of a file, and gives each test its transaction. */
export function functionDatabase(): FunctionDatabase {
  const database = new FunctionDatabase();
  beforeAll(() => database.open(), 60_000);
  beforeEach(() => database.rows('BEGIN'));
  afterEach(() => database.rows('ROLLBACK'));
  afterAll(() => database.close());
  return database;
}
