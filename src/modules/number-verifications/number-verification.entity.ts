import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

export const VERIFICATION_STATUSES = [
  'waiting',
  'calling',
  'spoken',
  'verified',
  'failed',
  'cancelled',
] as const;
export type VerificationStatus = (typeof VERIFICATION_STATUSES)[number];

/** Why no number was proven. */
export const VERIFICATION_FAILURES = [
  'busy',
  'no-answer',
  'no-key',
  'not-placed',
  'call-failed',
  'wrong-codes',
  'expired',
] as const;
export type VerificationFailure = (typeof VERIFICATION_FAILURES)[number];

/** What is spoken in a call that proves a number. */
export const VERIFICATION_LANGUAGES = ['pt', 'en'] as const;
export type VerificationLanguage = (typeof VERIFICATION_LANGUAGES)[number];

/** A call to a number in which a code is spoken, and whether the account has confirmed the code. */
@Entity('number_verifications')
@Index('number_verifications_user_id_idx', ['userId', 'createdAt'])
@Index('number_verifications_phone_number_idx', ['phoneNumber', 'createdAt'])
@Index('number_verifications_open_idx', ['createdAt'], { where: 'ended_at IS NULL' })
@Check(
  'number_verifications_status_known',
  "status IN ('waiting', 'calling', 'spoken', 'verified', 'failed', 'cancelled')",
)
@Check('number_verifications_language_known', "language IN ('pt', 'en')")
@Check('number_verifications_tries_not_negative', 'tries_left >= 0')
@Check('number_verifications_failure_said', "(status = 'failed') = (failure IS NOT NULL)")
export class NumberVerification extends OwnedRowWithCreatedAt {
  @IdColumn('number_verifications_pkey')
  declare id: number;

  /** The carrier's key of the call. */
  @Column({ type: 'uuid' })
  declare callKey: string;

  /** E.164. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text' })
  declare countryCode: string;

  @Column({ type: 'text' })
  declare language: VerificationLanguage;

  /** What the person who is called sees. */
  @Column({ type: 'text' })
  declare callerNumber: string;

  /** Of its row; null for the sandbox's. */
  @Column({ type: 'integer', nullable: true })
  declare callerNumberId: number | null;

  /** Name of the carrier of the call. */
  @Column({ type: 'text' })
  declare carrier: string;

  @Column({ type: 'text', default: 'waiting' })
  declare status: VerificationStatus;

  @Column({ type: 'text', nullable: true })
  declare failure: VerificationFailure | null;

  /** See VerificationCodes; null before the code is spoken. The code itself is stored nowhere. */
  @Column({ type: 'text', nullable: true })
  declare codeHash: string | null;

  @Column({ type: 'integer', default: 5 })
  declare triesLeft: number;

  /** Of the money for the call; null where it costs nothing. */
  @Column({ type: 'uuid', nullable: true })
  declare holdId: string | null;

  /** What the person in the sandbox hears; null for calls to people, whose words are not stored. */
  @Column({ type: 'text', nullable: true })
  declare sandboxWords: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare calledAt: Date | null;

  /** Of the call. */
  @Column({ type: 'timestamptz', nullable: true })
  declare endedAt: Date | null;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}
