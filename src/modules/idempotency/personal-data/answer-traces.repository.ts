import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** Rows that are looked at in one go. */
const PAGE = 200;

const NAMES_PERSON = `convert_from(response_body, 'UTF8') ~ $3`;

/** Keys of one account or conversation, in their own order. */
export interface KeyPage {
  /** In hexadecimal. */
  readonly keys: readonly string[];
  readonly next: string | null;
}

/** Where answers that are kept for repetitions hold the number of a person. */
@Injectable()
export class AnswerTracesRepository {
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

  async records(
    scope: string,
    keys: readonly string[],
    { pattern }: Person,
  ): Promise<Record<string, unknown>[]> {
    const rows = await this.database.query<{ record: Record<string, unknown> }>(
      `SELECT jsonb_build_object('status', response_status, 'body', convert_from(response_body, 'UTF8'),
         'created_at', created_at, 'expires_at', expires_at) AS record
       FROM idempotency_keys WHERE scope = $1
         AND key_hash IN (SELECT decode(key, 'hex') FROM unnest($2::text[]) AS key) AND ${NAMES_PERSON}`,
      [scope, keys, pattern],
    );
    return rows.map(({ record }) => record);
  }

  /** Empties the answers; the keys stay, so that a repetition still has no second effect. Returns how many. */
  async empty(scope: string, keys: readonly string[], { pattern }: Person, tx: Tx): Promise<number> {
    const rows = await this.database.query(
      `UPDATE idempotency_keys SET response_body = NULL WHERE scope = $1
         AND key_hash IN (SELECT decode(key, 'hex') FROM unnest($2::text[]) AS key) AND ${NAMES_PERSON}
       RETURNING scope`,
      [scope, keys, pattern],
      tx,
    );
    return rows.length;
  }

  async emptyAll(scope: string, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE idempotency_keys SET response_body = NULL WHERE scope = $1 AND response_body IS NOT NULL',
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
