import { Injectable } from '@nestjs/common';
import type { Person } from '#src/common/personal-data/person.js';
import { formsOf } from '#src/common/phone/e164.js';
import { Database } from '#src/database/database.js';
import type { Tx } from '#src/database/transactions.js';
import type { LeadRefusal } from './lead-refusal.entity.js';

export type RefusedRow = Pick<LeadRefusal, 'line' | 'fields' | 'reason' | 'phoneNumbers'>;
export type KeptRow = Pick<LeadRefusal, 'line' | 'fields' | 'reason'>;

/** Rows that are deleted in one statement. */
const BATCH = 10_000;
/** Also of a number in a text whose digits are full-width. */
const NAMING = `user_id = $1 AND (phone_numbers && $2::text[] OR normalize(fields::text, NFKC) ~ $3 OR reason::text ~ $3)`;

@Injectable()
export class LeadRefusalsRepository {
  constructor(private readonly database: Database) {}

  async add(userId: number, importId: number, rows: readonly RefusedRow[], tx: Tx): Promise<void> {
    if (rows.length === 0) return;
    const json = rows.map(({ line, fields, reason, phoneNumbers }) => ({
      line,
      fields,
      reason,
      phone_numbers: phoneNumbers,
    }));
    await this.database.query(
      `INSERT INTO lead_refusals (import_id, line, user_id, fields, reason, phone_numbers)
       SELECT $2, line, $1, fields, reason, phone_numbers
       FROM jsonb_to_recordset($3::jsonb) AS row (line integer, fields jsonb, reason jsonb, phone_numbers text[])`,
      [userId, importId, JSON.stringify(json)],
      tx,
    );
  }

  count(userId: number, importId: number): Promise<number> {
    return this.database.count(
      'SELECT count(*)::integer AS rows FROM lead_refusals WHERE user_id = $1 AND import_id = $2',
      [userId, importId],
    );
  }

  /** In the order of the file. */
  after(userId: number, importId: number, line: number, limit: number): Promise<KeptRow[]> {
    return this.database.query(
      `SELECT line, fields, reason FROM lead_refusals
       WHERE user_id = $1 AND import_id = $2 AND line > $3 ORDER BY line LIMIT $4`,
      [userId, importId, line, limit],
    );
  }

  /** Rows that name the person, with the import they belong to. */
  naming({ userId, phoneNumber, pattern }: Person): Promise<{ importId: number; line: number }[]> {
    return this.database.query(
      `SELECT import_id AS "importId", line FROM lead_refusals WHERE ${NAMING} ORDER BY import_id, line LIMIT ${BATCH}`,
      [userId, formsOf(phoneNumber), pattern],
    );
  }

  /** Deletes all rows that name the person. */
  deleteNaming({ userId, phoneNumber, pattern }: Person, tx: Tx): Promise<number> {
    return this.database.affected(
      `DELETE FROM lead_refusals WHERE ${NAMING} RETURNING 1`,
      [userId, formsOf(phoneNumber), pattern],
      tx,
    );
  }

  /** Deletes some of the rows that are older than a number of days, and says whether there may be more. */
  async deleteSomeOlderThan(days: number): Promise<boolean> {
    const rows = await this.database.query(
      `DELETE FROM lead_refusals WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM lead_refusals WHERE created_at < now() - make_interval(days => $1) LIMIT ${BATCH}))
       RETURNING 1`,
      [days],
    );
    return rows.length === BATCH;
  }
}
