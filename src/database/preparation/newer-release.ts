import { gt, rsort } from 'semver';
import type { QueryRunner } from 'typeorm';
import { FUNCTIONS_OLDEST_RELEASE } from '../functions/function-files.js';
import { StatedMigration } from '../stated-migration.js';

/** A newer release has changed the database so that this one cannot use it. The message is a complete sentence. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

/** What this release does not know, and the oldest release that its maker says runs with it. */
interface Change {
  readonly name: string;
  /** Null where the maker says nothing. */
  readonly oldestRelease: string | null;
}

interface FunctionChange extends Change {
  readonly release: string;
}

/**
 * Decides whether a release may run on a database that a newer one has prepared. The newer release has written what that
 * depends on into the database, because an older release does not have its files.
 *
 * @param unknown migrations that were applied and that this release does not have, the newest last
 * @returns a sentence for the operator where it may; null where nothing is newer
 * @throws NewerDatabaseError
 */
export async function checkNewerRelease(
  runner: QueryRunner,
  release: string,
  unknown: readonly string[],
): Promise<string | null> {
  const changes = [...(await migrationChanges(runner, unknown)), ...(await functionChanges(runner, release))];
  const [newest = ''] = rsort(await releasesOf(runner));
  if (changes.length === 0) return null;
  const refusing = changes.findLast(
    ({ oldestRelease }) => oldestRelease === null || gt(oldestRelease, release),
  );
  const migration = unknown.at(-1);
  const by = `Prosa ${newest} has prepared this database${migration === undefined ? '' : ` (newest migration: ${migration})`}`;
  if (!refusing)
    return `${by}. Prosa ${release} runs on it, in the middle of an upgrade or after a rollback.`;
  throw new NewerDatabaseError(
    `${by}, and Prosa ${release} does not run on it because of ${refusing.name}: start Prosa ${newest} or a newer ` +
      'release, or restore the backup from before the upgrade into another database.',
  );
}

/** Writes down what this release states for older ones. A database of 0.3.0 has the table only after its migrations. */
export async function recordStatements(
  runner: QueryRunner,
  migrations: readonly (new () => object)[],
  release: string,
): Promise<void> {
  if (!(await hasTable(runner, 'database_migrations'))) return;
  const stated = migrations
    .map((Migration) => new Migration())
    .filter((one) => one instanceof StatedMigration);
  await runner.query(
    `INSERT INTO database_migrations (migration, oldest_release) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (migration) DO UPDATE SET oldest_release = excluded.oldest_release`,
    [stated.map(({ name }) => name), stated.map(({ oldestRelease }) => oldestRelease)],
  );
  await runner.query('UPDATE database_functions SET oldest_release = $1 WHERE release = $2', [
    FUNCTIONS_OLDEST_RELEASE,
    release,
  ]);
}

async function migrationChanges(runner: QueryRunner, unknown: readonly string[]): Promise<Change[]> {
  if (unknown.length === 0) return [];
  const rows = (await hasTable(runner, 'database_migrations'))
    ? ((await runner.query(
        `SELECT migration AS name, oldest_release AS "oldestRelease" FROM database_migrations WHERE migration = ANY ($1)`,
        [unknown],
      )) as Change[])
    : [];
  const stated = new Map(rows.map(({ name, oldestRelease }) => [name, oldestRelease]));
  return unknown.map((name) => ({ name, oldestRelease: stated.get(name) ?? null }));
}

async function functionChanges(runner: QueryRunner, release: string): Promise<FunctionChange[]> {
  if (!(await hasTable(runner, 'database_functions'))) return [];
  // Databases of 0.3.0 have no column for it.
  const rows = (await runner.query(
    `SELECT 'the function ' || file AS name, release, to_jsonb(f) ->> 'oldest_release' AS "oldestRelease"
     FROM database_functions f ORDER BY file`,
  )) as FunctionChange[];
  return rows.filter((row) => gt(row.release, release));
}

async function releasesOf(runner: QueryRunner): Promise<string[]> {
  if (!(await hasTable(runner, 'database_releases'))) return [];
  const rows = (await runner.query('SELECT version FROM database_releases')) as { version: string }[];
  return rows.map(({ version }) => version);
}

async function hasTable(runner: QueryRunner, table: string): Promise<boolean> {
  const [row] = (await runner.query('SELECT to_regclass($1) IS NOT NULL AS there', [table])) as {
    there: boolean;
  }[];
  return row?.there === true;
}
