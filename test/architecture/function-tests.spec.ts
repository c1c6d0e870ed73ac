import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, it } from '@jest/globals';
import { functionDatabase } from '../support/function-database.js';

const FOLDER = 'test/integration/functions';
const database = functionDatabase();

/** The functions of the schema, without those of extensions. */
const FUNCTIONS = `
  SELECT DISTINCT proname AS name FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`;

it('finds a test file for each SQL function, and a function for each test file', async () => {
  const functions = await database.rows<{ name: string }>(FUNCTIONS);
  const wanted = functions.map(({ name }) => `${name.replaceAll('_', '-')}.spec.ts`);
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.spec.ts'))
    .map((path) => basename(path));
  const lacking = wanted
    .filter((name) => !files.includes(name))
    .map((name) => `Add ${FOLDER}/<area>/${name}`);
  const surplus = files
    .filter((name) => !wanted.includes(name))
    .map((name) => `Delete ${FOLDER}/<area>/${name}`);
  expect([...lacking, ...surplus]).toEqual([]);
});
