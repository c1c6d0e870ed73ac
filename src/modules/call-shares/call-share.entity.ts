import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

/** A link by which people without an account read and hear one call. Deleted with the call. */
@Entity('call_shares')
@Index('call_shares_token_hash_key', ['tokenHash'], { unique: true })
@Index('call_shares_call_id_idx', ['callId'])
@Index('call_shares_user_id_idx', ['userId'])
export class CallShare extends OwnedRowWithCreatedAt {
  @IdColumn('call_shares_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare callId: number;

  /** SHA-256 of the token: the token itself is not kept. */
  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}
