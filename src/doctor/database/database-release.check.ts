import { prosaVersion } from '../../config/prosa-version.js';
import { migrations } from '../../database/migrations.js';
import { DatabaseBehindError, findRole } from '../../database/preparation/database-role.js';
import { findMissing, UnreleasedDatabaseError } from '../../database/preparation/migrate.js';
import { NewerDatabaseError } from '../../database/preparation/newer-release.js';
import { type Check, failure, type Finding, ok, warning } from '../check.js';

/** Whether the database is that of this release. */
export class DatabaseReleaseCheck implements Check {
  readonly name = 'release';

  constructor(private readonly databaseUrl: string) {}

  async run(): Promise<readonly Finding[]> {
    try {
      const newer: string[] = [];
      const missing = await findMissing(this.databaseUrl, (line) => newer.push(line));
      return [...newer.map(warning), await this.findingOf(missing)];
    } catch (error) {
      const isPlain = error instanceof NewerDatabaseError || error instanceof UnreleasedDatabaseError;
      if (isPlain) return [failure(error.message)];
      throw error;
    }
  }

  private async findingOf(missing: readonly string[]): Promise<Finding> {
    if (missing.length === 0) return ok(`The database has all that Prosa ${prosaVersion} needs.`);
    const { name, mayPrepare } = await findRole(this.databaseUrl);
    if (!mayPrepare) return failure(new DatabaseBehindError(name, missing).message);
    if (missing.length >= migrations.length) return ok('The database is empty: the first start prepares it.');
    return warning(
      `The database is behind Prosa ${prosaVersion} by ${missing.length} changes: make a backup; the next start applies them.`,
    );
  }
}
