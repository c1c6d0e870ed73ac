import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** A process that was not heard of for so long is gone: three times what it takes between two signs of life. */
const GONE_AFTER_SECONDS = 90;

/** Which folders the processes read that work on stored files. */
@Injectable()
export class StorageHeartbeatsRepository {
  constructor(private readonly database: Database) {}

  /** Says that a process lives and reads this folder; the first time as well as each other. */
  async beat(id: string, folderId: string): Promise<void> {
    await this.database.query(
      `WITH gone AS (
         DELETE FROM file_readers WHERE seen_at < now() - interval '${GONE_AFTER_SECONDS} seconds' AND id <> $1)
       INSERT INTO file_readers (id, folder_id, seen_at) VALUES ($1, $2, now())
       ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
      [id, folderId],
    );
  }

  async remove(id: string): Promise<void> {
    await this.database.query('DELETE FROM file_readers WHERE id = $1', [id]);
  }

  /** Whether a process that lives reads another folder. */
  existOfOther(folderId: string): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM file_readers
       WHERE folder_id <> $1 AND seen_at > now() - interval '${GONE_AFTER_SECONDS} seconds' LIMIT 1`,
      [folderId],
    );
  }
}
