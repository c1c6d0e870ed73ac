import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source-options.js';
import { isLockTimeout } from '../database.js';

/** The first migration of the versions before 0.2.0, the first release, whose databases have no way on. */
const UNRELEASED = 'AccountsAndBilling1763600000001';

/**
 * How long a migration waits for a table, in milliseconds. Whoever comes after it waits behind it; and processes of the release
 * before, which serve meanwhile, would lose a deadlock with it after a second (`deadlock_timeout`).
 */
const LOCK_WAIT_MS = 300;
/** Statements of a release are short: a table is free at some time within minutes. */
const MAX_TRIES = 600;
const PAUSE_MS = 200;

/** The message is a complete sentence for whoever started Prosa. */
export class UnreleasedDatabaseError extends Error {
  override readonly name = 'UnreleasedDatabaseError';

  constructor() {
    super(
      'This database was made by a version of Prosa before 0.2.0, the first release, and cannot be upgraded. Start with ' +
        'an empty one: another DATA_DIR for the embedded database, or another database in DATABASE_URL.',
    );
  }
}

/**
 * Brings the database to the newest migration, for one process at a time. Returns the names applied.
 *
 * @throws UnreleasedDatabaseError
 */
export async function migrate(url: string): Promise<string[]> {
  const extra = { lock_timeout: LOCK_WAIT_MS };
  // The console logger would tell of each migration that is tried again as one that failed.
  const options = { ...dataSourceOptions(url, 2), extra, logger: 'debug' } as const;
  const dataSource = await new DataSource(options).initialize();
  try {
    if (await isUnreleased(dataSource)) throw new UnreleasedDatabaseError();
    const before = new Set(await appliedTo(dataSource));
    await runMigrations(dataSource);
    return (await appliedTo(dataSource)).filter((name) => !before.has(name));
  } finally {
    await dataSource.destroy();
  }
}

/** Each migration is a transaction of its own: one that did not get its tables has done nothing, and is run again. */
async function runMigrations(dataSource: DataSource): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await dataSource.runMigrations();
      return;
    } catch (error) {
      if (attempt >= MAX_TRIES || !isLockTimeout(error)) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function appliedTo(dataSource: DataSource): Promise<string[]> {
  if (!(await hasMigrations(dataSource))) return [];
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}

async function isUnreleased(dataSource: DataSource): Promise<boolean> {
  return (await appliedTo(dataSource)).includes(UNRELEASED);
}

async function hasMigrations(dataSource: DataSource): Promise<boolean> {
  const [{ table }] = await dataSource.query<[{ table: string | null }]>(
    "SELECT to_regclass('migrations') AS table",
  );
  return table !== null;
}
