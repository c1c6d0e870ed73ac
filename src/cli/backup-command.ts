import { EnvironmentError } from '../config/environment.js';
import { BackupError } from '../database/backup/backup.error.js';
import { EmbeddedPostgresError } from '../database/embedded/embedded-postgres.error.js';
import { DatabaseStartError } from '../database/preparation/wait-for-database.js';
import { PluginError } from '../plugins/plugin.error.js';

/** Errors whose message is for the operator, and says all. */
const PLAIN_ERRORS = [BackupError, DatabaseStartError, EnvironmentError, EmbeddedPostgresError, PluginError];

/** Runs a command on one backup file, and prints the result. */
export async function runOnBackup(
  usage: string,
  { files, help }: { readonly files: readonly string[]; readonly help: boolean },
  work: (path: string) => Promise<string>,
): Promise<void> {
  const [path] = files;
  if (help || path === undefined || files.length > 1) {
    process.stdout.write(usage);
    process.exitCode = help ? 0 : 1;
    return;
  }
  try {
    console.log(await work(path));
  } catch (error) {
    const isPlain = PLAIN_ERRORS.some((kind) => error instanceof kind);
    console.error(isPlain ? (error as Error).message : error);
    process.exitCode = 1;
  }
}
