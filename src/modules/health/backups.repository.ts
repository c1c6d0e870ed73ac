import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** The last backup that `npm run backup` has finished; of the whole installation. */
@Injectable()
export class BackupsRepository {
  constructor(private readonly database: Database) {}

  /** Records a backup that is finished. It has the rows of the moment when it began. */
  async record(beganAt: Date): Promise<void> {
    await this.database.query(
      `INSERT INTO database_backups (began_at) VALUES ($1)
       ON CONFLICT (is_last) DO UPDATE SET began_at = greatest(database_backups.began_at, excluded.began_at)`,
      [beganAt],
    );
  }

  /** Null where none was ever recorded. */
  findLast(): Promise<Date | null> {
    return this.database.value<Date>('SELECT began_at AS "beganAt" FROM database_backups');
  }
}
