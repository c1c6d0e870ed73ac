import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { RetentionSettings } from './retention-settings.entity.js';

/** Days; null where the account has set none. */
export type OwnDays = Pick<RetentionSettings, 'callsDays' | 'recordingsDays' | 'conversationsDays'>;

export interface AccountDays extends OwnDays {
  readonly userId: number;
}

@Injectable()
export class RetentionRepository {
  constructor(private readonly database: Database) {}

  find(userId: number): Promise<RetentionSettings | null> {
    return this.database.manager().findOneBy(RetentionSettings, { userId });
  }

  /** Sets what is given, null for "none"; what is undefined stays. */
  async set(
    userId: number,
    { callsDays, recordingsDays, conversationsDays }: Partial<OwnDays>,
  ): Promise<void> {
    const given = [callsDays, recordingsDays, conversationsDays];
    await this.database.query(
      `INSERT INTO retention_settings AS own (user_id, calls_days, recordings_days, conversations_days)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (user_id) DO UPDATE SET updated_at = now(),
         calls_days = CASE WHEN $5 THEN excluded.calls_days ELSE own.calls_days END,
         recordings_days = CASE WHEN $6 THEN excluded.recordings_days ELSE own.recordings_days END,
         conversations_days = CASE WHEN $7 THEN excluded.conversations_days ELSE own.conversations_days END`,
      [userId, ...given.map((days) => days ?? null), ...given.map((days) => days !== undefined)],
    );
  }

  /** Accounts in the order of their ids, with what they have set. */
  accountsAfter(userId: number, limit: number): Promise<AccountDays[]> {
    return this.database.query(
      `SELECT users.id AS "userId", own.calls_days AS "callsDays", own.recordings_days AS "recordingsDays",
         own.conversations_days AS "conversationsDays"
       FROM users LEFT JOIN retention_settings own ON own.user_id = users.id
       WHERE users.id > $1 ORDER BY users.id LIMIT $2`,
      [userId, limit],
    );
  }
}
