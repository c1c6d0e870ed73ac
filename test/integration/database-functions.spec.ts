import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import { prosaVersion } from '../../src/config/prosa-version.js';
import { applyFunctions, IndexedFunctionError } from '../../src/database/functions/apply-functions.js';
import {
  type FunctionFile,
  functionFiles,
  functionNameOf,
} from '../../src/database/functions/function-files.js';
import { migrate } from '../../src/database/preparation/migrate.js';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.js';
import { installRelease, migrationsOf, RELEASES } from '../support/released-database.js';

const FOR_OLD_RELEASE = '-- for 0.4.0, removed in 0.6.0';

/** Functions and triggers of the schema, by name and signature; those of extensions are left out. */
const DEFINITIONS = `
  SELECT 'function ' || p.oid::regprocedure AS name, pg_get_functiondef(p.oid) AS text,
    p.xmin::text = (pg_current_xact_id()::text::bigint % 4294967296)::text AS "isNew"
  FROM pg_proc p WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
  UNION ALL
  SELECT 'trigger ' || tgname || ' on ' || tgrelid::regclass, pg_get_triggerdef(t.oid),
    t.xmin::text = (pg_current_xact_id()::text::bigint % 4294967296)::text
  FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
  WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace
  ORDER BY 1`;

interface Definition {
  readonly name: string;
  readonly text: string;
  /** Whether the open transaction has written it. */
  readonly isNew: boolean;
}

async function definitionsIn(client: Client): Promise<Definition[]> {
  return (await client.query<Definition>(DEFINITIONS)).rows;
}

/** What a file writes into the database, which stays as it is. */
async function definedBy({ text }: FunctionFile, client: Client): Promise<Definition[]> {
  await client.query('BEGIN');
  try {
    await client.query(text);
    return (await definitionsIn(client)).filter(({ isNew }) => isNew);
  } finally {
    await client.query('ROLLBACK');
  }
}

function runnerOn(client: Client): QueryRunner {
  const query = async (sql: string, values?: unknown[]) => (await client.query(sql, values)).rows;
  return { query } as unknown as QueryRunner;
}

const changed = (files: readonly FunctionFile[], name: string, comment = '-- changed') =>
  files.map((file) =>
    file.name === name ? { ...file, text: `${comment}\n${file.text}`, checksum: comment } : file,
  );

let database: TestDatabase;
let client: Client;

async function open(source: () => Promise<TestDatabase>): Promise<void> {
  database = await source();
  client = new Client({ connectionString: database.url });
  await client.connect();
}

async function close(): Promise<void> {
  await client.end();
  await database.drop();
}

const STATES: Readonly<Record<string, () => Promise<TestDatabase>>> = {
  'a new database': cloneDatabase,
  ...Object.fromEntries(
    RELEASES.map((release) => [
      `a database upgraded from ${release}`,
      async () => {
        const upgraded = await emptyDatabase();
        await installRelease(upgraded.url, release);
        await migrate(upgraded.url);
        return upgraded;
      },
    ]),
  ),
};

describe.each(Object.entries(STATES))('%s', (_name, source) => {
  beforeAll(() => open(source));
  afterAll(close);

  it('has each function and trigger in exactly one file, with the text of the file', async () => {
    const inDatabase = new Map((await definitionsIn(client)).map(({ name, text }) => [name, text]));
    const inFiles: string[] = [];
    for (const file of functionFiles()) {
      for (const { name, text } of await definedBy(file, client)) {
        inFiles.push(name);
        expect({ file: file.name, name, text: inDatabase.get(name) }).toEqual({
          file: file.name,
          name,
          text,
        });
      }
    }
    expect(inFiles.toSorted()).toEqual([...inDatabase.keys()].toSorted());
  });

  it('records the checksum of each file and the release that has written it', async () => {
    const { rows } = await client.query(
      'SELECT file, checksum, release FROM database_functions ORDER BY file COLLATE "C"',
    );
    const isRelease = (release: string) => [prosaVersion, ...RELEASES].includes(release);
    expect(rows.map(({ release, ...row }) => ({ ...row, isRelease: isRelease(release) }))).toEqual(
      functionFiles().map(({ name, checksum }) => ({ file: name, checksum, isRelease: true })),
    );
  });
});

describe('a function file', () => {
  beforeAll(() => open(cloneDatabase));
  afterAll(close);

  it('defines the one function that it is named after', async () => {
    for (const file of functionFiles()) {
      const functions = (await definedBy(file, client)).filter(({ name }) => name.startsWith('function '));
      expect(functions.map(({ name }) => /^function (\w+)\(/.exec(name)?.[1])).toEqual([
        functionNameOf(file),
      ]);
    }
  });

  it('says in its header what the function is for, who calls it, what it locks and how it fails', () => {
    for (const { name, text } of functionFiles()) {
      const header = text.slice(0, text.indexOf('CREATE'));
      for (const word of ['Purpose:', 'Callers:', 'Locks:', 'Errors:'])
        expect({ name, has: header.includes(`-- ${word} `) ? word : null }).toEqual({ name, has: word });
    }
  });

  it('is marked when it holds an overload for the last release, so that one overload is current', () => {
    const names = functionFiles().map((file) => functionNameOf(file));
    const overloaded = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    const current = functionFiles()
      .filter((file) => overloaded.has(functionNameOf(file)) && !file.text.startsWith(FOR_OLD_RELEASE))
      .map((file) => functionNameOf(file));
    expect(current.toSorted()).toEqual([...overloaded].toSorted());
  });
});

describe('a migration after the last release', () => {
  it('holds no text of a function or trigger', () => {
    const folder = new URL('../../src/database/migrations/', import.meta.url);
    const files = readdirSync(folder).filter((file) => !(file.replace('.ts', '') in migrationsOf('0.4.0')));
    const texts = files.map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));
    const withText = texts.filter(({ text }) =>
      /CREATE (OR REPLACE )?(CONSTRAINT )?(FUNCTION|TRIGGER)/i.test(text),
    );
    expect(withText.map(({ file }) => file)).toEqual([]);
  });
});

describe('applying functions', () => {
  const files = functionFiles();

  beforeEach(async () => {
    await open(cloneDatabase);
    await client.query('BEGIN');
  });
  afterEach(close);

  const releaseOf = async (file: string) =>
    (
      await client.query<{ release: string }>('SELECT release FROM database_functions WHERE file = $1', [
        file,
      ])
    ).rows[0]?.release;

  it('does nothing when no file has changed', async () => {
    expect(await applyFunctions(runnerOn(client), files)).toEqual([]);
    expect((await definitionsIn(client)).filter(({ isNew }) => isNew)).toEqual([]);
  });

  it('applies only the changed file, and records the release', async () => {
    const newer = changed(files, 'billing/void_hold');
    expect(await applyFunctions(runnerOn(client), newer, '900.0.0')).toEqual(['billing/void_hold']);
    const written = (await definitionsIn(client)).filter(({ isNew }) => isNew);
    expect(written.map(({ name }) => name)).toEqual(['function void_hold(uuid)']);
    expect(await releaseOf('billing/void_hold')).toBe('900.0.0');
    expect(await releaseOf('billing/hold_money')).toBe(prosaVersion);
  });

  it('does not replace anything after a newer release has prepared the database', async () => {
    await applyFunctions(runnerOn(client), changed(files, 'billing/void_hold'), '900.0.0');
    expect(await applyFunctions(runnerOn(client), files, prosaVersion)).toEqual([]);
    expect(await releaseOf('billing/void_hold')).toBe('900.0.0');
  });

  it('forgets a file that has been removed, so that it is applied again if it comes back', async () => {
    await applyFunctions(
      runnerOn(client),
      files.filter(({ name }) => name !== 'billing/void_hold'),
    );
    expect(await releaseOf('billing/void_hold')).toBeUndefined();
    expect(await applyFunctions(runnerOn(client), files)).toEqual(['billing/void_hold']);
  });

  it.each(['search/words_of_account', 'search/folded_text'])(
    'refuses a changed %s, because an index holds its results',
    async (name) => {
      const refused = applyFunctions(runnerOn(client), changed(files, name));
      await expect(refused).rejects.toThrow(IndexedFunctionError);
      await expect(refused).rejects.toThrow(
        `${name}.sql has changed, and an index holds results of the function`,
      );
    },
  );
});
