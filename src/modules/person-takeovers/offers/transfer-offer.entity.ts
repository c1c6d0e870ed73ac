import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRow } from '../../../database/columns.js';
import type { OfferRole } from '../../../runtime/tools/call-controls.js';
import type { CallPerson } from '../../active-calls/person-takeovers/person-takeover.js';
import type { OfferStatus } from './offer-states.js';

/** A call that its assistant offers to the people of the account. */
@Entity('transfer_offers')
@Check('transfer_offers_status_known', "status IN ('ringing', 'accepted', 'held', 'ended')")
@Index('transfer_offers_user_id_idx', ['userId', 'status'])
@Index('transfer_offers_call_id_idx', ['callId'])
@Index('transfer_offers_expires_at_idx', ['expiresAt'])
export class TransferOffer extends OwnedRow {
  @IdColumn('transfer_offers_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare callId: number;

  @Column({ type: 'text' })
  declare role: OfferRole;

  @Column({ type: 'text', default: 'ringing' })
  declare status: OfferStatus;

  /** Null once the offer does not ring any more. */
  @Column({ type: 'text', nullable: true })
  declare briefing: string | null;

  @Column({ type: 'jsonb', nullable: true })
  declare acceptedBy: CallPerson | null;

  /** Keys of people, as in CallPerson. */
  @Column({ type: 'text', array: true, default: '{}' })
  declare declinedBy: string[];

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}
