import { DataSource, type QueryRunner } from 'typeorm';
import { prosaVersion } from '../../config/prosa-version.js';
import { dataSourceOptions } from '../data-source-options.js';
import { applyFunctions } from '../functions/apply-functions.js';
import { hasReleases, isPreparedByNewerRelease, recordRelease } from '../functions/releases.js';
import { migrations } from '../migrations.js';
import { SHORT_LOCK_WAIT, untilTablesAreFree } from './lock-wait.js';

/** The message is a complete sentence for the operator. */
export class UnreleasedDatabaseError extends Error {
  override readonly name = 'UnreleasedDatabaseError';

  constructor(migration: string) {
    super(
      `This database was made by an unreleased version of Prosa (no release has the migration ${migration}) and cannot be ` +
        'upgraded. Start with an empty one: another DATA_DIR for the embedded database, or another database in DATABASE_URL.',
    );
  }
}

/**
 * Brings the database to the newest migration and to the current texts of its functions. Only the process that holds the
 * lock of preparation calls it. Returns the names of the applied migrations.
 *
 * @throws UnreleasedDatabaseError before anything has changed
 */
export async function migrate(url: string): Promise<string[]> {
  // The console logger would report each migration that is tried again as failed.
  const options = { ...dataSourceOptions(url, 2), extra: SHORT_LOCK_WAIT, logger: 'debug' } as const;
  const dataSource = await new DataSource(options).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const before = new Set(await appliedTo(runner));
    await refuseUnreleased(runner, before);
    // Before the migrations, so that an older release recognizes them after a failure.
    if (await hasReleases(runner)) await recordRelease(runner, prosaVersion);
    // Each migration is a transaction of its own: one that did not get its locks has changed nothing.
    await untilTablesAreFree(() => dataSource.runMigrations());
    await untilTablesAreFree(() => inTransaction(runner, () => applyFunctions(runner)));
    return (await appliedTo(runner)).filter((name) => !before.has(name));
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** A newer release has migrations that this one does not know. Without a newer release, no release has them. */
async function refuseUnreleased(runner: QueryRunner, applied: ReadonlySet<string>): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].find((name) => !known.has(name));
  if (unknown === undefined || (await isPreparedByNewerRelease(runner, prosaVersion))) return;
  throw new UnreleasedDatabaseError(unknown);
}

async function inTransaction(runner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await runner.startTransaction();
  try {
    await work();
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

async function appliedTo(runner: QueryRunner): Promise<string[]> {
  if (!(await hasMigrations(runner))) return [];
  const rows = (await runner.query('SELECT name FROM migrations ORDER BY id')) as { name: string }[];
  return rows.map(({ name }) => name);
}

async function hasMigrations(runner: QueryRunner): Promise<boolean> {
  const [{ table }] = (await runner.query("SELECT to_regclass('migrations') AS table")) as [
    { table: string | null },
  ];
  return table !== null;
}
