import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { CallPerson } from './person-takeover.js';

/** Who has taken over open calls; work of the platform itself, on calls by their id. */
@Injectable()
export class TakeoverRecordsRepository {
  constructor(private readonly database: Database) {}

  find(callId: number): Promise<CallPerson | null> {
    return this.database.value<CallPerson>(
      'SELECT taken_over_by AS person FROM active_calls WHERE call_id = $1',
      [callId],
    );
  }

  /** Keys of the people who have a customer now. */
  listBusy(userId: number): Promise<string[]> {
    return this.database.values<string>(
      `SELECT DISTINCT taken_over_by->>'key' AS key FROM active_calls
       WHERE user_id = $1 AND stage = 'open' AND taken_over_by IS NOT NULL`,
      [userId],
    );
  }

  /** False when the call is not the token's any more. @param person null: the assistant has the customer */
  write(callId: number, token: string, person: CallPerson | null, tx: Tx): Promise<boolean> {
    return this.database.matches(
      `UPDATE active_calls SET taken_over_by = $3
       WHERE call_id = $1 AND lease_token = $2 AND stage = 'open' RETURNING call_id`,
      [callId, token, person && JSON.stringify(person)],
      tx,
    );
  }
}
