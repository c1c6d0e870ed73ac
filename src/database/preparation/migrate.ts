import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../data-source-options.js';

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
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 2), extra: {} }).initialize();
  try {
    if (await isUnreleased(dataSource)) throw new UnreleasedDatabaseError();
    const applied = await dataSource.runMigrations();
    return applied.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

async function isUnreleased(dataSource: DataSource): Promise<boolean> {
  const [{ table }] = await dataSource.query<[{ table: string | null }]>(
    "SELECT to_regclass('migrations') AS table",
  );
  if (table === null) return false;
  const found = await dataSource.query<unknown[]>('SELECT FROM migrations WHERE name = $1', [UNRELEASED]);
  return found.length > 0;
}
