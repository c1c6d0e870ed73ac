import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { migrate } from '../../src/database/preparation/migrate.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import {
  installRelease,
  installReleasedSchema,
  RELEASES,
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

async function open(release: Release): Promise<void> {
  database = await emptyDatabase();
  await installRelease(database.url, release);
  await migrate(database.url);
  client = new Client({ connectionString: database.url });
  await client.connect();
}

async function close(): Promise<void> {
  await client.end();
  await database.drop();
}

describe.each(RELEASES)('a process of %s on the new schema', (release) => {
  const statements = statementsOf(release);
  let columns: readonly ColumnOf[];
  let functions: readonly string[];

  beforeAll(async () => {
    [columns, functions] = await readReleasedSchema(release);
    await open(release);
  });
  afterAll(close);

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

describe('the turns of a process of 0.2.0', () => {
  const CONVERSATION = randomUUID();
  const LEASE_SECONDS = 15;

  beforeAll(async () => {
    await open('0.2.0');
    await client.query(
      `INSERT INTO conversations (id, user_id, assistant_id, type) SELECT $1, user_id, id, 'widget' FROM assistants
       ORDER BY id LIMIT 1`,
      [CONVERSATION],
    );
  });

  afterAll(close);

  const begin = async (token: string, content: string) => {
    const { rows } = await client.query<{ turn: { outcome: string; messageId: string; history: object[] } }>(
      'SELECT begin_turn($1, $2, $3, $4, true, 20, NULL, NULL, NULL) AS turn',
      [CONVERSATION, token, LEASE_SECONDS, content],
    );
    return rows[0]?.turn;
  };

  it('begin without a version of the assistant, end with an answer, and see it in the next history', async () => {
    const token = randomUUID();
    const turn = await begin(token, 'Bom dia');
    expect(turn).toMatchObject({ outcome: 'begun', history: [] });
    expect((await begin(randomUUID(), 'Olá?'))?.outcome).toBe('busy');
    const { rows } = await client.query<{ answer: string | null }>(
      `SELECT finish_turn($1, $2, $3, NULL, 'Bom dia!', '[]', false) AS answer`,
      [CONVERSATION, token, turn?.messageId],
    );
    expect(rows[0]?.answer).not.toBeNull();
    const next = await begin(randomUUID(), 'Quanto custa?');
    expect(next?.history).toEqual([
      { role: 'user', content: 'Bom dia' },
      { role: 'assistant', content: 'Bom dia!' },
    ]);
    await client.query('UPDATE conversations SET turn_token = NULL, turn_expires_at = NULL');
  });

  it('give the conversation back when they are abandoned, and count no tokens', async () => {
    const token = randomUUID();
    const turn = await begin(token, 'Alô');
    const { rows } = await client.query('SELECT abandon_turn($1, $2, $3, NULL) AS answer', [
      CONVERSATION,
      token,
      turn?.messageId,
    ]);
    expect(rows).toEqual([{ answer: null }]);
    const { rows: left } = await client.query(
      'SELECT turn_token, input_tokens FROM conversations WHERE id = $1',
      [CONVERSATION],
    );
    expect(left).toEqual([{ turn_token: null, input_tokens: null }]);
  });
});
