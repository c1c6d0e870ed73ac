import type { Database } from '../../database/database.js';
import { migrations } from '../../database/migrations.js';
import { withDatabase } from '../../database/open-database.js';
import { type DatabaseOfCommand, withDatabaseOfCommand } from '../database-of-command.js';

/**
 * Opens the database, with or without a running Prosa. Migrates it where it is not up to date.
 *
 * @param onlyReads such a database is left as it is, and refused
 */
export async function withCommandDatabase<T>(
  where: DatabaseOfCommand,
  work: (database: Database) => Promise<T>,
  { onlyReads = false } = {},
): Promise<T> {
  return withDatabaseOfCommand(where, { mayJoin: true }, (databaseUrl) => {
    return withDatabase(databaseUrl, async (database) => {
      if (!(await isUpToDate(database))) {
        if (onlyReads) {
          throw new Error(
            'The database is older than this release, and this command changes nothing: run npm run migrate first, or use the ' +
              'release that the database is of.',
          );
        }
        // It brings the queue's engine along, which a database that is up to date does not need.
        const { prepareDatabase } = await import('../../boot/prepare-database.js');
        await prepareDatabase({ databaseUrl, say: (line) => console.error(line) });
      }
      return work(database);
    });
  });
}

async function isUpToDate(database: Database): Promise<boolean> {
  const [found] = await database.query<{ table: string | null }>("SELECT to_regclass('migrations') AS table");
  if (!found?.table) return false;
  const applied = await database.query<{ name: string }>('SELECT name FROM migrations');
  const names = new Set(applied.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}
