import { prosaVersion } from '../../config/prosa-version.js';
import { UnreleasedDatabaseError } from '../../database/preparation/migrate.js';
import { NewerDatabaseError } from '../../database/preparation/newer-release.js';
import { readReleaseState } from '../../database/preparation/release-state.js';
import { type Check, failure, type Finding, ok, warning } from '../check.js';

/** Whether the database is that of this release. */
export class DatabaseReleaseCheck implements Check {
  readonly name = 'release';

  constructor(private readonly databaseUrl: string) {}

  async run(): Promise<readonly Finding[]> {
    try {
      const { isEmpty, pending, newer } = await readReleaseState(this.databaseUrl);
      if (isEmpty) return [ok('The database is empty: the first start prepares it.')];
      if (newer !== null) return [warning(newer)];
      if (pending.length === 0) return [ok(`The database is that of Prosa ${prosaVersion}.`)];
      return [
        warning(
          `The database is older than Prosa ${prosaVersion} by ${pending.length} migrations: make a backup; the next start applies them.`,
        ),
      ];
    } catch (error) {
      const isPlain = error instanceof NewerDatabaseError || error instanceof UnreleasedDatabaseError;
      if (isPlain) return [failure(error.message)];
      throw error;
    }
  }
}
