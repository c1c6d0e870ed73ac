import type { Database } from '../../database/database.js';
import { migrations } from '../../database/migrations.js';
import { EmbeddedPostgres } from '../../database/embedded-postgres.js';
import { withDatabase } from '../../database/open-database.js';

interface DatabaseOfCommand {
  /** Undefined for the embedded one. */
  readonly url: string | undefined;
  readonly dataDir: string;
}

/** Opens the database beside a running Prosa or without one, brought up to date where it is not. */
export async function withCommandDatabase<T>(
  { url, dataDir }: DatabaseOfCommand,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const say = (line: string) => console.error(line);
  const embedded =
    url === undefined ? await EmbeddedPostgres.start({ dataDir, joinRunning: true, log: say }) : null;
  const databaseUrl = url ?? embedded?.url ?? '';
  try {
    const isReached = { yet: false };
    return await withDatabase(databaseUrl, async (database) => {
      isReached.yet = true;
      if (!(await isUpToDate(database))) {
        // It brings the queue's engine along, which a database that is up to date does not need.
        const { prepareDatabase } = await import('../../boot/prepare-database.js');
        await prepareDatabase({ databaseUrl, say });
      }
      return work(database);
    }).catch((error: unknown) => {
      throw isReached.yet ? error : unreachable(databaseUrl, error);
    });
  } finally {
    await embedded?.stop();
  }
}

async function isUpToDate(database: Database): Promise<boolean> {
  const [found] = await database.query<{ table: string | null }>("SELECT to_regclass('migrations') AS table");
  if (!found?.table) return false;
  const applied = await database.query<{ name: string }>('SELECT name FROM migrations');
  const names = new Set(applied.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}

function unreachable(url: string, error: unknown): Error {
  const reason = error instanceof Error && error.message ? error.message : 'no answer';
  return new Error(`The database at ${new URL(url).host} cannot be used (${reason}). Check DATABASE_URL.`, {
    cause: error,
  });
}
