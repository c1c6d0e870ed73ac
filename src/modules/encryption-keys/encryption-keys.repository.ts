import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';

/** Ids of the keys that the sealed values of the database need; of the whole installation. */
@Injectable()
export class EncryptionKeysRepository {
  constructor(private readonly database: Database) {}

  list(): Promise<string[]> {
    return this.database.values<string>('SELECT id FROM encryption_keys ORDER BY recorded_at, id');
  }

  /** Keys with which values were sealed before their ids were recorded. */
  async add(ids: readonly string[]): Promise<void> {
    await this.database.query(
      'INSERT INTO encryption_keys (id) SELECT unnest($1::text[]) ON CONFLICT (id) DO NOTHING',
      [ids],
    );
  }

  /** Records that a process seals with a key now. */
  async recordUse(id: string): Promise<void> {
    await this.database.query(
      `INSERT INTO encryption_keys (id, last_sealed_at) VALUES ($1, now())
       ON CONFLICT (id) DO UPDATE SET last_sealed_at = excluded.last_sealed_at`,
      [id],
    );
  }

  /** Removes a key with which no process has sealed lately. Returns whether it is gone. */
  removeIdle(id: string, idleMs: number): Promise<boolean> {
    return this.database.matches(
      `DELETE FROM encryption_keys
       WHERE id = $1 AND (last_sealed_at IS NULL OR last_sealed_at < now() - $2 * interval '1 millisecond')
       RETURNING id`,
      [id, idleMs],
    );
  }
}
