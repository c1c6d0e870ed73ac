import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { type SqlUse, sourcesIn, usesIn, usesOf } from './sql-uses.js';
import {
  type Exception,
  FOREIGN_CALLS,
  FOREIGN_READS,
  FOREIGN_WRITES,
  FUNCTION_OWNERS,
  TABLE_OWNERS,
} from './table-owners.js';

const SOURCES = new URL('../../src/', import.meta.url);
/** A table belongs to the module in whose folder its entity is; those without an entity are listed. */
const OWNERS: typeof TABLE_OWNERS = ownersOfTables();

function ownersOfTables(): Record<string, string[]> {
  const owners: Record<string, string[]> = {};
  const add = (module: string, table: string) => (owners[module] ??= []).push(table);
  for (const [where, source] of sourcesIn(SOURCES)) {
    for (const [, table = ''] of source.matchAll(/@Entity\('([a-z_]+)'/g)) {
      add(/^modules\/([^/]+)\//.exec(where)?.[1] ?? `no module: ${where}`, table);
    }
  }
  for (const [module, tables] of Object.entries(TABLE_OWNERS)) for (const table of tables) add(module, table);
  return owners;
}
/** Tables of the preparation of the database. */
const NOT_OURS = new Set([
  'database_functions',
  'database_migrations',
  'database_releases',
  'migrations',
  'typeorm_metadata',
]);

interface Finding extends SqlUse {
  /** Folder of `src/modules`; null for a file outside of them. */
  readonly module: string | null;
  /** A file below `src`, or a function of the database. */
  readonly where: string;
}

const namesOf = (owners: typeof TABLE_OWNERS) => new Set(Object.values(owners).flat());
const owns = (owners: typeof TABLE_OWNERS, module: string | null, name: string) =>
  module !== null && (owners[module] ?? []).includes(name);
const lines = (findings: readonly Finding[]) =>
  [...new Set(findings.map(({ where, kind, name }) => `${where}: ${kind} ${name}`))].toSorted();

/** SQL alone: entities of another module cannot be imported (`check:imports`). */
describe('each table has one owner', () => {
  let database: TestDatabase;
  let client: Client;
  let findings: readonly Finding[];
  const tables = namesOf(OWNERS);
  const functions = namesOf(FUNCTION_OWNERS);

  beforeAll(async () => {
    database = await cloneDatabase();
    client = new Client({ connectionString: database.url });
    await client.connect();
    findings = [...findingsInSources(), ...(await findingsInFunctions())];
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const namesIn = async (sql: string) =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name);

  function findingsInSources(): Finding[] {
    return [...sourcesIn(SOURCES)].flatMap(([where, source]) => {
      // What migrations do is over; the functions they leave behind are read from the database.
      if (/(^|\/)migrations\//.test(where)) return [];
      const module = /^modules\/([^/]+)\//.exec(where)?.[1] ?? null;
      return usesIn(source, tables, functions).map((use) => ({ ...use, module, where }));
    });
  }

  async function findingsInFunctions(): Promise<Finding[]> {
    const { rows } = await client.query<{ name: string; body: string }>(
      "SELECT proname AS name, prosrc AS body FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND probin IS NULL",
    );
    return rows.flatMap(({ name: where, body }) => {
      const module =
        Object.keys(FUNCTION_OWNERS).find((owner) => owns(FUNCTION_OWNERS, owner, where)) ?? null;
      return usesOf(body, tables, functions).map((use) => ({ ...use, module, where: `${where}()` }));
    });
  }

  it('and the list has each table of the database once', async () => {
    const found = await namesIn(
      "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')",
    );
    const listed = Object.values(OWNERS).flat();
    expect(listed.toSorted()).toEqual(found.filter((name) => !NOT_OURS.has(name)).toSorted());
  });

  it('and so has each function of the database', async () => {
    const found = await namesIn(
      "SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND probin IS NULL",
    );
    expect(Object.values(FUNCTION_OWNERS).flat().toSorted()).toEqual(found.toSorted());
  });

  it('and its entity, if it has one, is in the folder of a module', () => {
    expect(Object.keys(OWNERS).filter((module) => module.startsWith('no module'))).toEqual([]);
  });

  it.each([
    ['write', OWNERS, FOREIGN_WRITES],
    ['read', OWNERS, FOREIGN_READS],
    ['call', FUNCTION_OWNERS, FOREIGN_CALLS],
  ] as const)('and others %s only what is listed with a reason', (kind, owners, exceptions) => {
    const foreign = findings.filter((use) => use.kind === kind && !owns(owners, use.module, use.name));
    const isListed = ({ module, name }: Finding) =>
      exceptions.some((listed) => listed.module === module && listed.uses.includes(name));
    expect(lines(foreign.filter((use) => !isListed(use)))).toEqual([]);
    expect(unused(exceptions, foreign)).toEqual([]);
    expect(exceptions.filter(({ why }) => why.trim() === '')).toEqual([]);
  });
});

function unused(exceptions: readonly Exception[], findings: readonly Finding[]): string[] {
  return exceptions.flatMap(({ module, uses }) =>
    uses
      .filter((name) => !findings.some((use) => use.module === module && use.name === name))
      .map((name) => `${module}: ${name}`),
  );
}

describe('what a piece of SQL uses', () => {
  const tables = new Set(['calls', 'leads', 'plans', 'users']);
  const functions = new Set(['hold_money']);

  it.each<[string, string[]]>([
    ['SELECT 1 FROM calls JOIN leads l ON true', ['read calls', 'read leads']],
    ['select id from users u, plans where true', ['read users', 'read plans']],
    ['SELECT (SELECT count(*) FROM leads) AS users', ['read leads']],
    ['INSERT INTO calls (id) SELECT id FROM leads', ['write calls', 'read leads']],
    ['UPDATE "calls" c SET lead_id = NULL FROM leads', ['write calls', 'read leads']],
    ['DELETE FROM ONLY calls USING leads WHERE true', ['write calls', 'read leads']],
    ['TRUNCATE leads', ['write leads']],
    ['UPDATE public.calls SET id = 1', ['write calls']],
    ['MERGE INTO leads USING calls ON true', ['write leads', 'read calls']],
    ['SELECT id FROM others FOR NO KEY UPDATE OF calls', []],
    ['SELECT hold_money(1)', ['call hold_money']],
    ['SELECT 1 -- FROM calls', []],
    ['WITH calls_of AS (SELECT 1) SELECT FROM calls_of', []],
  ])('%s', (sql, expected) => {
    const found = usesOf(sql, tables, functions).map(({ kind, name }) => `${kind} ${name}`);
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('is found in each text of a file, in parts where the name of a table is filled in', () => {
    const file = "const t = 'leads'; query(`SELECT FROM ${t} WHERE ${x}`); query('UPDATE users SET id = 1');";
    const found = usesIn(file, tables, functions).map(({ kind, name }) => `${kind} ${name}`);
    expect(new Set(found)).toEqual(new Set(['read leads', 'write leads', 'read users', 'write users']));
  });
});
