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

/** Functions that 0.3.0 has for processes of 0.2.0. */
const UNUSED_FUNCTIONS: readonly string[] = [
  'abandon_turn(uuid,uuid,bigint,uuid) bigint',
  'begin_turn(uuid,uuid,double precision,text,boolean,integer,uuid,jsonb,bigint) json',
  'finish_turn(uuid,uuid,bigint,uuid,text,jsonb,boolean) bigint',
  'may_add_tool(integer) boolean',
];

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
    for (const { name, type } of columns) expect({ name, type: types.get(name) }).toEqual({ name, type });
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
    expect(functions).toEqual(expect.arrayContaining([...UNUSED_FUNCTIONS]));
    const used = functions.filter((name) => !UNUSED_FUNCTIONS.includes(name));
    expect(now).toEqual(expect.arrayContaining(used));
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
