import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { KeptAnswer } from '../idempotency-key.entity.js';

/** Rows that are looked at in one go: an answer may have 256 KiB. */
const PAGE = 50;

/** Keys of one account or conversation, in their own order. */
export interface KeyPage {
  /** In hexadecimal. */
  readonly keys: readonly string[];
  readonly next: string | null;
}

/** An answer as it is kept. */
export interface AnswerRow extends KeptAnswer {
  readonly status: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Answers that are kept for repetitions, page by page: sealed, they cannot be searched for a person. */
@Injectable()
export class AnswerPersonalDataRepository {
  constructor(private readonly database: Database) {}

  async nextKeys(scope: string, after: string | null, tx?: Tx): Promise<KeyPage> {
    const rows = await this.database.query<{ key: string }>(
      `SELECT encode(key_hash, 'hex') AS key FROM idempotency_keys
       WHERE scope = $1 AND key_hash > decode($2, 'hex') ORDER BY key_hash LIMIT $3`,
      [scope, after ?? '', PAGE],
      tx,
    );
    const keys = rows.map(({ key }) => key);
    return { keys, next: keys.length < PAGE ? null : (keys.at(-1) ?? null) };
  }

  /** Those of the keys that have an answer. */
  answersOf(scope: string, keys: readonly string[], tx?: Tx): Promise<AnswerRow[]> {
    return this.database.query<AnswerRow>(
      `SELECT key_hash AS "keyHash", sealed_body AS "sealedBody", response_status AS status,
         created_at AS "createdAt", expires_at AS "expiresAt"
       FROM idempotency_keys WHERE scope = $1
         AND key_hash IN (SELECT decode(key, 'hex') FROM unnest($2::text[]) AS key)
         AND sealed_body IS NOT NULL`,
      [scope, keys],
      tx,
    );
  }

  /** Empties answers; the keys stay, so that a repetition still has no second effect. Returns how many. */
  empty(scope: string, keyHashes: readonly Buffer[], tx: Tx): Promise<number> {
    return this.database.affected(
      `UPDATE idempotency_keys SET sealed_body = NULL
       WHERE scope = $1 AND key_hash = ANY($2) RETURNING scope`,
      [scope, keyHashes],
      tx,
    );
  }

  async emptyAll(scope: string, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET sealed_body = NULL
       WHERE scope = $1 AND sealed_body IS NOT NULL`,
      [scope],
      tx,
    );
  }

  /** Keys are kept for a day, so that there are few to look at. */
  async deleteOfAccount(userId: number, tx: Tx): Promise<void> {
    await this.database.query(
      `DELETE FROM idempotency_keys WHERE scope = 'account:' || $1::integer
         OR CASE WHEN scope ~ '^conversation:[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$'
                 THEN EXISTS (SELECT FROM conversations
                              WHERE id = split_part(scope, ':', 2)::uuid AND user_id = $1) END`,
      [userId],
      tx,
    );
  }
}
