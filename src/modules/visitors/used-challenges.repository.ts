import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

@Injectable()
export class UsedChallengesRepository {
  constructor(private readonly database: Database) {}

  /** False when the challenge was used before, in any process. */
  add(id: string, expiresAt: Date, tx: Tx): Promise<boolean> {
    return this.database.matches(
      'INSERT INTO used_challenges (id, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING id',
      [id, expiresAt],
      tx,
    );
  }

  /** Deletes what has expired long enough for every clock to agree. */
  async removeExpired(): Promise<void> {
    await this.database.query("DELETE FROM used_challenges WHERE expires_at < now() - interval '10 minutes'");
  }
}
