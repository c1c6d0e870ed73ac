import type { QueryRunner } from 'typeorm';
import { prosaVersion } from '../../config/prosa-version.js';
import { type FunctionFile, functionFile, functionFiles, functionNameOf } from './function-files.js';
import { isPreparedByNewerRelease, recordRelease } from './releases.js';

/** A text of an index's function differs from the database. The message is a complete sentence for the developer. */
export class IndexedFunctionError extends Error {
  override readonly name = 'IndexedFunctionError';

  constructor({ name }: FunctionFile) {
    super(
      `src/database/functions/${name}.sql has changed, and an index holds results of the function: apply the file in a ` +
        'migration that rebuilds the index.',
    );
  }
}

/**
 * Applies the functions whose text the database does not have, and returns their names. A newer release has applied all of
 * its own functions, so nothing is replaced in its database.
 *
 * @param runner in a transaction, under the lock of preparation, after the migrations
 * @throws IndexedFunctionError
 */
export async function applyFunctions(
  runner: QueryRunner,
  files: readonly FunctionFile[] = functionFiles(),
  release = prosaVersion,
): Promise<string[]> {
  if (await isPreparedByNewerRelease(runner, release)) return [];
  const changed = await outdatedFunctions(runner, files, release);
  if (changed.length > 0) await refuseIndexed(runner, changed, files);
  // SQL functions may call functions of files that come later.
  await runner.query('SET LOCAL check_function_bodies = off');
  for (const file of changed) await apply(runner, file, release);
  await runner.query('DELETE FROM database_functions WHERE NOT (file = ANY ($1))', [
    files.map(({ name }) => name),
  ]);
  await recordRelease(runner, release);
  return changed.map(({ name }) => name);
}

/** Applies one function within a migration that needs it. */
export async function applyFunction(runner: QueryRunner, name: string): Promise<void> {
  await apply(runner, functionFile(name), prosaVersion);
}

async function apply(
  runner: QueryRunner,
  { name, text, checksum }: FunctionFile,
  release: string,
): Promise<void> {
  await runner.query(text);
  await runner.query(
    `INSERT INTO database_functions (file, checksum, release) VALUES ($1, $2, $3)
     ON CONFLICT (file) DO UPDATE SET checksum = excluded.checksum, release = excluded.release`,
    [name, checksum, release],
  );
}

/** Functions whose text the database does not have; none where a newer release has prepared it. */
export async function outdatedFunctions(
  runner: QueryRunner,
  files: readonly FunctionFile[] = functionFiles(),
  release = prosaVersion,
): Promise<FunctionFile[]> {
  if (await isPreparedByNewerRelease(runner, release)) return [];
  const rows = (await runner.query('SELECT file, checksum FROM database_functions')) as {
    file: string;
    checksum: string;
  }[];
  const applied = new Map(rows.map(({ file, checksum }) => [file, checksum]));
  return files.filter(({ name, checksum }) => applied.get(name) !== checksum);
}

/** An index keeps old results when its function, or one that the function calls, changes. */
async function refuseIndexed(
  runner: QueryRunner,
  changed: readonly FunctionFile[],
  files: readonly FunctionFile[],
): Promise<void> {
  const rows = (await runner.query(
    `SELECT DISTINCT proname AS name FROM pg_depend JOIN pg_proc ON pg_proc.oid = refobjid
     WHERE refclassid = 'pg_proc'::regclass AND classid = 'pg_class'::regclass
       AND pronamespace = current_schema()::regnamespace`,
  )) as { name: string }[];
  const indexed = withCallees(new Set(rows.map(({ name }) => name)), files);
  const refused = changed.find((file) => indexed.has(functionNameOf(file)));
  if (refused) throw new IndexedFunctionError(refused);
}

/** The names, and those of the functions that they call, directly or not. */
function withCallees(names: ReadonlySet<string>, files: readonly FunctionFile[]): ReadonlySet<string> {
  const called = new Set(
    files.filter((file) => names.has(functionNameOf(file))).flatMap(({ text }) => callsIn(text)),
  );
  const callees = files.map((file) => functionNameOf(file)).filter((name) => called.has(name));
  const all = new Set([...names, ...callees]);
  return all.size === names.size ? all : withCallees(all, files);
}

/** Names before a parenthesis. */
function callsIn(text: string): string[] {
  return [...text.matchAll(/\b(\w+)\(/g)].map(([, name = '']) => name);
}
