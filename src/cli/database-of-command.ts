import { resolve } from 'node:path';
import { EmbeddedPostgres } from '../database/embedded/embedded-postgres.js';
import { waitForDatabase } from '../database/preparation/wait-for-database.js';

/** Of the configuration. */
export interface DatabaseOfCommand {
  /** Undefined for the embedded one. */
  readonly url?: string | undefined;
  readonly dataDir: string;
}

/** For a command that changes tables: the role that owns them, where it is another one. */
export function asOwner({
  url,
  migrationUrl,
  dataDir,
}: DatabaseOfCommand & { readonly migrationUrl: string | undefined }): DatabaseOfCommand {
  return { url: migrationUrl ?? url, dataDir };
}

/**
 * Gives a command the address of the installation's database. The embedded one is started for it where it does not run.
 *
 * @param mayJoin whether the embedded database may be used while Prosa runs on it; else that is refused
 * @param waitMs how long it waits for a server that is away
 */
export async function withDatabaseOfCommand<T>(
  { url, dataDir }: DatabaseOfCommand,
  { mayJoin, waitMs = 0 }: { readonly mayJoin: boolean; readonly waitMs?: number },
  work: (databaseUrl: string) => Promise<T>,
): Promise<T> {
  if (url) {
    await waitForDatabase({ databaseUrl: url, waitMs, say: (line) => console.error(line) });
    return work(url);
  }
  const embedded = await EmbeddedPostgres.start({
    dataDir: resolve(dataDir),
    joinRunning: mayJoin,
    log: (line) => console.error(line),
  });
  try {
    return await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}
