// `npm run test:mutation -- sql [function …]`: plants one fault after another in the functions and triggers of the database, and
// runs the tests of that function on each. Prints the share of faults that the tests noticed, by function, and every fault they
// let through. Fails when the share stays below the score of the other groups, or a function has no tests.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runCLI } from 'jest';
import { Client } from 'pg';
import { tsImport } from 'tsx/esm/api';
import jestConfig from '../jest.config.js';
import { MIN_SCORE } from './mutation-groups.mjs';
import { showHelp } from './show-help.mjs';
import { EQUIVALENT } from './sql-equivalents.mjs';
import { mutantsOf } from './sql-mutants.mjs';

showHelp(import.meta.url);

const FUNCTIONS = `
  SELECT p.oid::regprocedure::text AS signature, p.proname AS name, p.prosrc AS body, pg_get_functiondef(p.oid) AS definition
  FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
  ORDER BY p.proname, 1`;
const TRIGGERS = `
  SELECT t.tgname AS trigger, t.tgrelid::regclass::text AS table, p.proname AS name, pg_get_triggerdef(t.oid) AS definition
  FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
  WHERE NOT t.tgisinternal AND p.pronamespace = 'public'::regnamespace
  ORDER BY p.proname, 1`;

const names = process.argv.slice(2);
const SPECS = 'test/integration/functions';
const specs = new Map(
  readdirSync(SPECS, { recursive: true })
    .filter((file) => file.endsWith('.spec.ts'))
    .map((file) => [basename(file, '.spec.ts').replaceAll('-', '_'), join(SPECS, file)]),
);

const { startDatabaseServer } = await tsImport('../test/support/database-server.ts', import.meta.url);
const { cloneDatabase } = await tsImport('../test/support/database.ts', import.meta.url);
const { server, stop } = await startDatabaseServer();
const database = await cloneDatabase(server);
// The tests roll back what they write, so one database serves all of them.
process.env.PROSA_FUNCTION_DATABASE_URL = database.url;
const client = new Client({ connectionString: database.url });
await client.connect();
let isEnough = true;
try {
  isEnough = await run();
} finally {
  await client.end();
  await database.drop();
  await stop();
}
process.exit(isEnough ? 0 : 1);

async function run() {
  const subjects = await subjectsOf();
  const wanted = subjects.filter(({ name }) => names.length === 0 || names.includes(name));
  const unknown = names.filter((name) => !subjects.some((subject) => subject.name === name));
  if (unknown.length > 0) throw new Error(`The database has no function ${unknown.join(', ')}.`);
  const untested = wanted.filter(({ name }) => !specs.has(name));
  for (const { title } of untested) console.log(`no tests  ${title}`);
  const sum = { noticed: 0, counted: 0 };
  for (const subject of wanted.filter(({ name }) => specs.has(name))) {
    const { noticed, counted } = await test(subject);
    sum.noticed += noticed;
    sum.counted += counted;
  }
  const percent = scoreOf(sum);
  console.log(`${percent.toFixed(1)} %  ${sum.noticed} of ${sum.counted}  sql`);
  return untested.length === 0 && percent >= MIN_SCORE;
}

async function subjectsOf() {
  const functions = await client.query(FUNCTIONS);
  const triggers = await client.query(TRIGGERS);
  return [
    ...functions.rows.map(({ signature, name, body, definition }) => ({
      title: signature,
      name,
      restore: definition,
      mutants: mutantsOf(body).map((mutant) => ({
        ...mutant,
        // A function as the replacement: a body may hold `$&`.
        statement: definition.replace(body, () => mutant.text),
      })),
    })),
    ...triggers.rows.map(({ trigger, table, name, definition }) => {
      const drop = `DROP TRIGGER ${trigger} ON ${table};`;
      const from = definition.indexOf(' WHEN ');
      const until = definition.lastIndexOf(' EXECUTE FUNCTION ');
      const condition = from < 0 ? '' : definition.slice(from, until);
      return {
        title: `${name}, trigger ${trigger}`,
        name,
        restore: `${drop} ${definition}`,
        mutants: mutantsOf(condition).map((mutant) => ({
          ...mutant,
          statement: `${drop} ${definition.slice(0, from)}${mutant.text}${definition.slice(until)}`,
        })),
      };
    }),
  ];
}

async function test({ title, name, restore, mutants }) {
  if (mutants.length === 0) return { noticed: 0, counted: 0 };
  const spec = specs.get(name);
  if (await fails(spec)) throw new Error(`${spec} fails without a fault.`);
  const known = EQUIVALENT[title] ?? [];
  const survived = [];
  let counted = 0;
  for (const mutant of mutants) {
    const isPlanted = await plant(mutant.statement);
    // A fault that PostgreSQL refuses would be noticed by the first start.
    if (!isPlanted) continue;
    const isNoticed = await fails(spec);
    if (!isNoticed && known.some((text) => contextOf(mutant).includes(text))) continue;
    counted += 1;
    if (!isNoticed) survived.push(mutant);
  }
  await client.query(restore);
  const score = { noticed: counted - survived.length, counted };
  console.log(`${scoreOf(score).toFixed(1).padStart(5)} %  ${score.noticed} of ${counted}  ${title}`);
  for (const mutant of survived) {
    console.log(`  Survived, line ${mutant.line}: ${contextOf(mutant)}`);
  }
  return score;
}

async function plant(statement) {
  try {
    await client.query(statement);
    return true;
  } catch {
    return false;
  }
}

/** The line of the fault, with the planted text in place of the found. */
function contextOf({ text, at, found, planted }) {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at + planted.length);
  const line = text.slice(start, end < 0 ? undefined : end).trim();
  return `${line}  (${found} → ${planted || 'nothing'})`;
}

function scoreOf({ noticed, counted }) {
  return counted === 0 ? 100 : (noticed / counted) * 100;
}

/** Whether the tests of a file fail; the database server is the one that is running. */
async function fails(spec) {
  const { results } = await runCLI(
    {
      config: JSON.stringify({
        ...jestConfig,
        rootDir: process.cwd(),
        testEnvironment: '<rootDir>/test/support/jest/first-failure-environment.mjs',
        roots: [`<rootDir>/${SPECS}`],
        globalSetup: undefined,
        globalTeardown: undefined,
        reporters: [],
        testSequencer: undefined,
      }),
      runInBand: true,
      runTestsByPath: true,
      silent: true,
      _: [spec],
      $0: 'jest',
    },
    [process.cwd()],
  );
  return !results.success;
}
