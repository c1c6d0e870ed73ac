import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A challenge that has opened a conversation. Kept until it would have expired, so that it opens no second one. */
@Entity('used_challenges')
@Index('used_challenges_expires_at_idx', ['expiresAt'])
export class UsedChallenge {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'used_challenges_pkey' })
  declare id: string;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}
