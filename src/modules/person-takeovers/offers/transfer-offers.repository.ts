import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { CallPerson } from '../../active-calls/person-takeovers/person-takeover.js';
import { type OfferStatus, originsOf } from './offer-states.js';
import type { TransferOffer } from './transfer-offer.entity.js';

/** An offer as people read it. */
export interface OfferedCall extends Pick<TransferOffer, 'id' | 'callId' | 'role' | 'expiresAt'> {
  readonly assistantName: string;
  /** Null on the web. */
  readonly customerPhone: string | null;
  readonly briefing: string;
}

export interface OfferState extends Pick<
  TransferOffer,
  'callId' | 'role' | 'status' | 'acceptedBy' | 'declinedBy'
> {
  /** The time to answer is over, by the clock of the database. */
  readonly isOver: boolean;
}

/** Rows of offers that ended so long ago are deleted. */
const KEPT_SECONDS = 3_600;

const COLUMNS = `call_id AS "callId", role, status, accepted_by AS "acceptedBy", declined_by AS "declinedBy",
  expires_at <= now() AS "isOver"`;

const LIST = `
  SELECT offers.id, offers.call_id AS "callId", offers.role, offers.expires_at AS "expiresAt",
    coalesce(offers.briefing, '') AS briefing, calls.assistant_name AS "assistantName",
    calls.client_phone_number AS "customerPhone"
  FROM transfer_offers offers
  JOIN calls ON calls.id = offers.call_id
  JOIN active_calls active ON active.call_id = offers.call_id AND active.stage = 'open'
  WHERE offers.user_id = $1 AND offers.status = 'ringing' AND offers.expires_at > now()
    AND NOT ($2 = ANY(offers.declined_by))
  ORDER BY offers.id`;

@Injectable()
export class TransferOffersRepository {
  constructor(private readonly database: Database) {}

  async add(
    { userId, callId, role, briefing }: Pick<TransferOffer, 'userId' | 'callId' | 'role' | 'briefing'>,
    ringSeconds: number,
  ): Promise<number> {
    const [row] = await this.database.query<{ id: number }>(
      `INSERT INTO transfer_offers (user_id, call_id, role, briefing, expires_at)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5)) RETURNING id`,
      [userId, callId, role, briefing, ringSeconds],
    );
    if (!row) throw new Error('no offer was stored');
    return row.id;
  }

  /** Those that ring, and that this person has not declined. @param key as in CallPerson */
  list(userId: number, key: string): Promise<OfferedCall[]> {
    return this.database.readPrepared<OfferedCall>(LIST, [userId, key]);
  }

  find(userId: number, id: number): Promise<OfferState | null> {
    return this.database.first<OfferState>(
      `SELECT ${COLUMNS} FROM transfer_offers WHERE user_id = $1 AND id = $2`,
      [userId, id],
    );
  }

  /** False when it does not ring for this person: another one was faster, it is over, or they have declined. */
  accept(userId: number, id: number, person: CallPerson): Promise<boolean> {
    return this.database.matches(
      `UPDATE transfer_offers offers SET status = 'accepted', accepted_by = $3
       FROM active_calls active
       WHERE active.call_id = offers.call_id AND active.stage = 'open'
         AND offers.user_id = $1 AND offers.id = $2 AND offers.status = ANY($4::text[]) AND expires_at > now()
         AND NOT ($5 = ANY(offers.declined_by))
       RETURNING offers.id`,
      [userId, id, JSON.stringify(person), originsOf('accepted'), person.key],
    );
  }

  /** False when it does not ring any more. */
  decline(userId: number, id: number, key: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE transfer_offers SET declined_by = array_append(array_remove(declined_by, $3), $3)
       WHERE user_id = $1 AND id = $2 AND status = 'ringing' AND expires_at > now() RETURNING id`,
      [userId, id, key],
    );
  }

  /** False when the offer is not in one of these states any more, or may not become that from them. */
  move(id: number, to: OfferStatus, from: readonly OfferStatus[] = originsOf(to)): Promise<boolean> {
    return this.database.matches(
      'UPDATE transfer_offers SET status = $2, briefing = NULL WHERE id = $1 AND status = ANY($3::text[]) RETURNING id',
      [id, to, from.filter((state) => originsOf(to).includes(state))],
    );
  }

  /** Ends those of a call, and returns their ids. */
  endOf(callId: number): Promise<number[]> {
    return this.database.values<number>(
      `UPDATE transfer_offers SET status = 'ended', briefing = NULL
       WHERE call_id = $1 AND status = ANY($2::text[]) RETURNING id`,
      [callId, originsOf('ended')],
    );
  }

  async removeOld(): Promise<void> {
    await this.database.query(
      `DELETE FROM transfer_offers WHERE expires_at < now() - interval '${KEPT_SECONDS} seconds'`,
    );
  }
}
