import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../../src/database/preparation/migrate.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import {
  installRelease,
  installReleasedSchema,
  ROLLING_RELEASES,
  type Release,
  statementsOf,
} from '../support/released-database.js';

const COLUMNS = `
  SELECT table_name || '.' || column_name AS name, data_type AS type, is_nullable = 'YES' AS "isNullable",
    column_default IS NOT NULL OR is_identity = 'YES' OR is_generated = 'ALWAYS' AS "hasDefault"
  FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1`;

const FUNCTIONS = `
  SELECT oid::regprocedure || ' ' || pg_get_function_result(oid) AS name FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace ORDER BY 1`;

/** Columns that a release has for processes of the one before, and does not name. */
const UNUSED_COLUMNS: Readonly<Record<(typeof ROLLING_RELEASES)[number], readonly string[]>> = {
  '0.4.0': [
    'calls.recording_url',
    'idempotency_keys.response_body',
    'simulation_usage.day',
    'simulation_usage.runs',
    'simulation_usage.tokens',
    'simulation_usage.user_id',
  ],
  '0.5.0': [],
};

interface ColumnOf {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
}

let database: TestDatabase;
let client: Client;

async function readSchema(target: Client): Promise<[ColumnOf[], string[]]> {
  const { rows: found } = await target.query<ColumnOf>(COLUMNS);
  const { rows: named } = await target.query<{ name: string }>(FUNCTIONS);
  return [found, named.map(({ name }) => name)];
}

/** Columns and functions of a release, read from a database that its migrations have made. */
async function readReleasedSchema(release: Release): Promise<[ColumnOf[], string[]]> {
  const released = await emptyDatabase();
  await installReleasedSchema(released.url, release);
  const reader = new Client({ connectionString: released.url });
  await reader.connect();
  const schema = await readSchema(reader);
  await reader.end();
  await released.drop();
  return schema;
}

describe.each(ROLLING_RELEASES)('a process of %s on the new schema', (release) => {
  const statements = statementsOf(release);
  let columns: readonly ColumnOf[];
  let functions: readonly string[];

  beforeAll(async () => {
    [columns, functions] = await readReleasedSchema(release);
    database = await emptyDatabase();
    await installRelease(database.url, release);
    await migrate(database.url);
    client = new Client({ connectionString: database.url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('finds every column with its type', async () => {
    const [now] = await readSchema(client);
    const types = new Map(now.map(({ name, type }) => [name, type]));
    expect(columns.length).toBeGreaterThan(200);
    const unused = UNUSED_COLUMNS[release];
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining([...unused]));
    const used = columns.filter(({ name }) => !unused.includes(name));
    for (const { name, type } of used) expect({ name, type: types.get(name) }).toEqual({ name, type });
  });

  it('may leave out every column that it does not know', async () => {
    const [now] = await readSchema(client);
    const known = new Set(columns.map(({ name }) => name));
    const tables = new Set(columns.map(({ name }) => name.split('.')[0]));
    const required = now
      .filter(({ name }) => tables.has(name.split('.')[0]) && !known.has(name))
      .filter(({ isNullable, hasDefault }) => !isNullable && !hasDefault);
    expect(required).toEqual([]);
  });

  it('finds every function with its arguments and its result', async () => {
    const [, now] = await readSchema(client);
    expect(functions.length).toBeGreaterThan(15);
    expect(now).toEqual(expect.arrayContaining([...functions]));
  });

  it('can prepare every statement that it sends', async () => {
    const refused: Record<string, string> = {};
    for (const text of statements) {
      try {
        await client.query(`PREPARE statement AS ${text}`);
        await client.query('DEALLOCATE statement');
      } catch (error) {
        refused[text] = (error as Error).message;
      }
    }
    expect(statements.length).toBeGreaterThan(100);
    expect(refused).toEqual({});
  });
});
