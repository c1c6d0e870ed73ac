import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { prosaVersion } from '../../config/prosa-version.js';
import { dataSourceOptions } from '../data-source-options.js';
import { applyFunctions, outdatedFunctions } from '../functions/apply-functions.js';
import { hasReleases, isPreparedByNewerRelease, recordRelease } from '../functions/releases.js';
import { migrations } from '../migrations.js';
import { checkNewerRelease, recordStatements } from './newer-release.js';
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

type Listener = (line: string) => void;
const ignore: Listener = () => undefined;

/**
 * Brings the database to the newest migration and to the current texts of its functions. Only the process that holds the
 * lock of preparation calls it. Returns the names of the applied migrations.
 *
 * @param warn takes a sentence when a newer release has prepared the database and this one runs on it
 * @param progress takes a line when a migration begins
 * @throws UnreleasedDatabaseError and NewerDatabaseError before anything has changed
 */
export function migrate(url: string, warn = ignore, progress = ignore): Promise<string[]> {
  return withRunner(url, async (runner) => {
    const before = await refuseUnknown(runner, warn);
    // Before the migrations, so that an older release recognizes them after a failure.
    if (await hasReleases(runner)) await recordRelease(runner, prosaVersion);
    await recordStatements(runner, migrations, prosaVersion);
    announceMigrations(runner.connection, progress);
    // Each migration is a transaction of its own: one that did not get its locks has changed nothing.
    await untilTablesAreFree(() => runMigrations(runner));
    await untilTablesAreFree(() => inTransaction(runner, () => applyFunctions(runner)));
    await recordStatements(runner, migrations, prosaVersion);
    return (await appliedTo(runner)).filter((name) => !before.has(name));
  });
}

/**
 * What {@link migrate} would apply, such as `the migration Tools1763600000004`. Changes nothing.
 *
 * @throws UnreleasedDatabaseError and NewerDatabaseError
 */
export function findMissing(url: string, warn = ignore): Promise<string[]> {
  return withRunner(url, async (runner) => {
    const applied = await refuseUnknown(runner, warn);
    const missing = migrations.filter(({ name }) => !applied.has(name));
    if (missing.length > 0) return missing.map(({ name }) => `the migration ${name}`);
    return (await outdatedFunctions(runner)).map(({ name }) => `the current function ${name}`);
  });
}

async function withRunner<T>(url: string, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  // The console logger would report each migration that is tried again as failed.
  const options = { ...dataSourceOptions(url, 2), extra: SHORT_LOCK_WAIT, logger: 'debug' } as const;
  const dataSource = await new DataSource(options).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    return await work(runner);
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}

/** Returns the names of the applied migrations. */
async function refuseUnknown(runner: QueryRunner, warn: Listener): Promise<ReadonlySet<string>> {
  const applied = new Set(await appliedTo(runner));
  const warning = await checkNewerRelease(runner, prosaVersion, await unknownOf(runner, applied));
  if (warning !== null) warn(warning);
  return applied;
}

/** Migrations that this release does not have. Where no newer release has prepared the database, no release has them. */
async function unknownOf(runner: QueryRunner, applied: ReadonlySet<string>): Promise<string[]> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied].filter((name) => !known.has(name));
  const [first] = unknown;
  if (first === undefined || (await isPreparedByNewerRelease(runner, prosaVersion))) return unknown;
  throw new UnreleasedDatabaseError(first);
}

/** A migration that waits for its tables begins several times, and is announced once. */
function announceMigrations({ migrations: instances }: DataSource, progress: Listener): void {
  const announced = new Set<string>();
  for (const migration of instances) {
    const name = migration.name ?? migration.constructor.name;
    const up = migration.up.bind(migration);
    migration.up = async (runner) => {
      if (!announced.has(name)) progress(`Applying the migration ${name}…`);
      announced.add(name);
      await up(runner);
    };
  }
}

/**
 * Function texts of released migrations may need a newer PostgreSQL than the oldest one. They are not checked, because
 * {@link applyFunctions} replaces them by their current texts.
 */
async function runMigrations(runner: QueryRunner): Promise<void> {
  await runner.query('SET check_function_bodies = off');
  const executor = new MigrationExecutor(runner.connection, runner);
  executor.transaction = 'each';
  await executor.executePendingMigrations();
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

/** Names of the migrations that a database has, the oldest first; also of one without tables. */
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
