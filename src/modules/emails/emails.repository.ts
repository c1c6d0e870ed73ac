import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import type { Email, EmailStatus } from './email.entity.js';

export type NewEmail = Pick<Email, 'id' | 'userId' | 'recipient' | 'expiresAt'> & {
  readonly sealedContent: string;
  /** For a person of the account: e-mails of other accounts do not count. */
  readonly isToOwnPerson: boolean;
};

/** The most e-mails of a day. */
export interface DailyLimits {
  readonly perAccount: number;
  readonly perRecipient: number;
}

export interface ClaimedEmail extends Pick<Email, 'id' | 'userId' | 'recipient'> {
  readonly sealedContent: string;
  readonly isExpired: boolean;
}

@Injectable()
export class EmailsRepository {
  constructor(private readonly database: Database) {}

  /** False, without an e-mail, where as many as the limits were queued within the last day. Null limits: there are none. */
  add(email: NewEmail, limits: DailyLimits | null, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `INSERT INTO emails (id, user_id, recipient, sealed_content, expires_at)
       SELECT $1, $2, $3, $4, $5
       WHERE $6::integer IS NULL
         OR ((SELECT count(*) FROM emails WHERE user_id = $2 AND created_at > now() - interval '1 day') < $6
           AND (SELECT count(*) FROM emails WHERE recipient = $3 AND created_at > now() - interval '1 day'
                  AND (user_id = $2 OR NOT $8)) < $7::integer)
       RETURNING id`,
      [
        email.id,
        email.userId,
        email.recipient,
        email.sealedContent,
        email.expiresAt,
        limits?.perAccount ?? null,
        limits?.perRecipient ?? null,
        email.isToOwnPerson,
      ],
      tx,
    );
  }

  /** Null when it is not waiting any more, or another worker tries to send it. */
  claim(id: string, leaseMs: number): Promise<ClaimedEmail | null> {
    return this.database.first<ClaimedEmail>(
      `UPDATE emails SET claimed_until = now() + $2 * interval '1 millisecond'
       WHERE id = $1 AND status = 'waiting' AND (claimed_until IS NULL OR claimed_until <= now())
       RETURNING id, user_id AS "userId", recipient, sealed_content AS "sealedContent", expires_at <= now() AS "isExpired"`,
      [id, leaseMs],
    );
  }

  /** Lets the next attempt claim it. */
  async release(id: string): Promise<void> {
    await this.database.query("UPDATE emails SET claimed_until = NULL WHERE id = $1 AND status = 'waiting'", [
      id,
    ]);
  }

  /** Removes the content, which is not needed any more. */
  async finish(id: string, status: Exclude<EmailStatus, 'waiting'>): Promise<void> {
    await this.database.query(
      `UPDATE emails SET status = $2, sealed_content = NULL, claimed_until = NULL
       WHERE id = $1 AND status = 'waiting'`,
      [id, status],
    );
  }

  countWaiting(): Promise<number> {
    return this.database.count("SELECT count(*)::int AS count FROM emails WHERE status = 'waiting'");
  }

  /** Sends none of those that wait, of any account. */
  async dropWaiting(tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE emails SET status = 'expired', sealed_content = NULL, claimed_until = NULL WHERE status = 'waiting'`,
      [],
      tx,
    );
  }

  /** The oldest of those that no worker tries to send now. */
  waiting(limit: number): Promise<string[]> {
    return this.database.values<string>(
      `SELECT id FROM emails WHERE status = 'waiting' AND (claimed_until IS NULL OR claimed_until <= now())
       ORDER BY created_at LIMIT $1`,
      [limit],
    );
  }

  /** Deletes up to `limit` e-mails that count for no day any more; returns how many. */
  removeOld(limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM emails WHERE id IN (
         SELECT id FROM emails WHERE created_at <= now() - interval '1 day' AND status <> 'waiting'
         ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit],
    );
  }
}
