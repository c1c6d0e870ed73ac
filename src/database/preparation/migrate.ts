import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source-options.js';
import { SHORT_LOCK_WAIT, untilTablesAreFree } from './lock-wait.js';

/** The first migration of the versions before 0.2.0, the first release, whose databases have no way on. */
const UNRELEASED = 'AccountsAndBilling1763600000001';

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
  // The console logger would tell of each migration that is tried again as one that failed.
  const options = { ...dataSourceOptions(url, 2), extra: SHORT_LOCK_WAIT, logger: 'debug' } as const;
  const dataSource = await new DataSource(options).initialize();
  try {
    if (await isUnreleased(dataSource)) throw new UnreleasedDatabaseError();
    const before = new Set(await appliedTo(dataSource));
    // Each is a transaction of its own: one that did not get its tables has done nothing.
    await untilTablesAreFree(() => dataSource.runMigrations());
    return (await appliedTo(dataSource)).filter((name) => !before.has(name));
  } finally {
    await dataSource.destroy();
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
