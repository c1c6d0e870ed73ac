import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { LookupResult } from '../../caller-lookups/lookup.js';
import { NumberLookupRow } from './number-lookup.entity.js';

/** How many are kept of a number. */
const KEPT = 10;
/** Longer than any lookup takes. */
const ABANDONED_SECONDS = 10;

/** A lookup that has ended. */
export type FinishedLookup = Pick<LookupResult, 'httpStatus' | 'status' | 'ms' | 'error'> &
  Pick<NumberLookupRow, 'at' | 'callId'>;

/** Which lookup of which number. */
export type LookupKey = Pick<NumberLookupRow, 'phoneNumberId' | 'offerId'>;

@Injectable()
export class NumberLookupsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Notes that a lookup begins. Deletes the oldest ones of the number, and those whose process died. Rows that another process is about to delete are
   * passed over, as calls of one number do not wait for one another.
   *
   * @returns false where another process has begun it
   */
  async begin({ phoneNumberId, offerId }: LookupKey, userId: number): Promise<boolean> {
    const begun = await this.database.writePrepared(
      `WITH old AS (
         SELECT offer_id FROM number_lookups WHERE phone_number_id = $1 AND offer_id <> $2
         ORDER BY at DESC OFFSET ${KEPT - 1}
       ), locked AS (
         SELECT offer_id FROM number_lookups
         WHERE phone_number_id = $1 AND (offer_id IN (SELECT offer_id FROM old)
           OR offer_id <> $2 AND status IS NULL AND at < now() - make_interval(secs => ${ABANDONED_SECONDS}))
         FOR UPDATE SKIP LOCKED
       ), trimmed AS (
         DELETE FROM number_lookups WHERE phone_number_id = $1 AND offer_id IN (SELECT offer_id FROM locked)
       )
       INSERT INTO number_lookups (phone_number_id, offer_id, user_id) VALUES ($1, $2, $3)
       ON CONFLICT (phone_number_id, offer_id) DO UPDATE SET at = now()
         WHERE number_lookups.at < now() - make_interval(secs => ${ABANDONED_SECONDS})
       RETURNING 1`,
      [phoneNumberId, offerId, userId],
    );
    return begun.length > 0;
  }

  async finish(
    { phoneNumberId, offerId }: LookupKey,
    { status, httpStatus, ms, error }: LookupResult,
  ): Promise<void> {
    await this.database.writePrepared(
      `UPDATE number_lookups SET status = $3, http_status = $4, ms = $5, error = $6
       WHERE phone_number_id = $1 AND offer_id = $2`,
      [phoneNumberId, offerId, status, httpStatus, ms, error],
    );
  }

  /** Notes that the call has been written. */
  async setCall({ phoneNumberId, offerId }: LookupKey, callId: number, tx: Tx): Promise<void> {
    await this.database.writePrepared(
      'UPDATE number_lookups SET call_id = $3 WHERE phone_number_id = $1 AND offer_id = $2',
      [phoneNumberId, offerId, callId],
      tx,
    );
  }

  /** Those that have ended, newest first. */
  list(userId: number, phoneNumberId: number): Promise<FinishedLookup[]> {
    return this.database.findPrepared(
      NumberLookupRow,
      `user_id = $1 AND phone_number_id = $2 AND status IS NOT NULL ORDER BY at DESC, offer_id LIMIT ${KEPT}`,
      [userId, phoneNumberId],
    ) as Promise<FinishedLookup[]>;
  }
}
