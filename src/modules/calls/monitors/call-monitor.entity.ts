import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Principal } from '../../../common/auth/principal.js';

/** The right to listen to a call, by a token that is used once, and then the person who listens. */
@Entity('call_monitors')
@Index('call_monitors_call_id_idx', ['callId'])
@Index('call_monitors_valid_until_idx', ['validUntil'])
export class CallMonitor {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'call_monitors_pkey' })
  declare id: string;

  @Column({ type: 'integer' })
  declare callId: number;

  /** Who asked for the token. The right ends with theirs. */
  @Column({ type: 'jsonb' })
  declare caller: Principal;

  /** The member's name at the time; null for the owner and for API keys. */
  @Column({ type: 'text', nullable: true })
  declare memberName: string | null;

  /** SHA-256 of the token: the token itself is not kept. */
  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  /** When the token was used; null: it was not used. */
  @Column({ type: 'timestamptz', nullable: true })
  declare redeemedAt: Date | null;

  /** Of the token before it is used. Afterwards the process with the socket extends it as long as the person listens. */
  @Column({ type: 'timestamptz' })
  declare validUntil: Date;
}
