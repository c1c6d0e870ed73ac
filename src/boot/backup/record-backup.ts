import { withDatabase } from '../../database/open-database.js';
import { BackupsRepository } from '../../modules/health/backups.repository.js';

/**
 * Records a finished backup for the metrics of its age. A database of an older release has no place for it, and a role that
 * only reads may not write.
 *
 * @returns a sentence for the operator where it could not be recorded; otherwise null
 */
export async function recordBackup(databaseUrl: string, beganAt: Date): Promise<string | null> {
  try {
    await withDatabase(databaseUrl, (database) => new BackupsRepository(database).record(beganAt));
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `The backup is complete. Its time was not recorded, so its age is not in the metrics (${reason}).`;
  }
}
