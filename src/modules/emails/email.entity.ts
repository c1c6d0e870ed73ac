import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRowWithCreatedAt } from '../../database/columns.js';

export const EMAIL_STATUSES = ['waiting', 'sent', 'refused', 'expired'] as const;
export type EmailStatus = (typeof EMAIL_STATUSES)[number];

/** An e-mail that is to be sent. Kept for a day after its end, for the number of those of a day. */
@Entity('emails')
@Check('emails_status_known', "status IN ('waiting', 'sent', 'refused', 'expired')")
@Check('emails_content', "(status = 'waiting') = (sealed_content IS NOT NULL)")
@Index('emails_user_id_idx', ['userId', 'createdAt'])
@Index('emails_recipient_idx', ['recipient', 'createdAt'])
@Index('emails_waiting_idx', ['createdAt'], { where: "status = 'waiting'" })
@Index('emails_created_at_idx', ['createdAt'])
export class Email extends OwnedRowWithCreatedAt {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'emails_pkey' })
  declare id: string;

  @Column({ type: 'text' })
  declare recipient: string;

  @Column({ type: 'text', default: 'waiting' })
  declare status: EmailStatus;

  /** Sealed, as links with tokens are in it. Null once the e-mail is sent, refused or expired. */
  @Column({ type: 'text', nullable: true })
  declare sealedContent: string | null;

  /** When its link ends: it is not sent any more. */
  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;

  /** A worker tries to send it until then. */
  @Column({ type: 'timestamptz', nullable: true })
  declare claimedUntil: Date | null;
}
