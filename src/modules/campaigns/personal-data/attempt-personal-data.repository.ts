import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import { formsOf } from '../../../common/phone/e164.js';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

const BATCH = 500;

/** Where attempts at leads hold the number of a person. */
@Injectable()
export class AttemptPersonalDataRepository {
  constructor(private readonly database: Database) {}

  /** In the order of their ids. */
  after({ userId, phoneNumber }: Person, after: string): Promise<{ id: string; record: object }[]> {
    return this.database.query(
      `SELECT id, jsonb_build_object('campaign_id', campaign_id, 'lead_id', lead_id, 'call_id', call_id,
         'number', number, 'state', state, 'outcome', outcome, 'from_phone_number', from_phone_number,
         'to_phone_number', to_phone_number, 'created_at', created_at, 'settled_at', settled_at) AS record
       FROM dial_attempts WHERE user_id = $1 AND to_phone_number = ANY($2::text[]) AND id > $3
       ORDER BY id LIMIT ${BATCH}`,
      [userId, formsOf(phoneNumber), after],
    );
  }

  /** Empties the number of settled attempts; those that count in the progress of a campaign go on doing so. */
  async forgetSettled({ userId, phoneNumber }: Person, tx: Tx): Promise<{ count: number; isAll: boolean }> {
    const rows = await this.database.query(
      `UPDATE dial_attempts SET to_phone_number = '' WHERE id IN (
         SELECT id FROM dial_attempts WHERE user_id = $1 AND to_phone_number = ANY($2::text[]) AND state = 'settled' LIMIT ${BATCH})
       RETURNING id`,
      [userId, formsOf(phoneNumber)],
      tx,
    );
    return { count: rows.length, isAll: rows.length < BATCH };
  }

  countLive({ userId, phoneNumber }: Person, tx: Tx): Promise<number> {
    return this.database.count(
      `SELECT count(*)::integer AS live FROM dial_attempts
       WHERE user_id = $1 AND to_phone_number = ANY($2::text[]) AND state <> 'settled'`,
      [userId, formsOf(phoneNumber)],
      tx,
    );
  }
}

export const ATTEMPTS_PAGE = BATCH;
