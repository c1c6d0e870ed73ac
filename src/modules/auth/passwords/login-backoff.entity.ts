import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * How often something was guessed at in vain. The subject is a hash, of an e-mail that may belong to nobody, so that
 * guesses at accounts that are there and at others leave the same trace.
 */
@Entity('login_backoffs')
@Index('login_backoffs_last_tried_at_idx', ['lastTriedAt'])
export class LoginBackoff {
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'login_backoffs_pkey' })
  declare subject: Buffer;

  @Column({ type: 'integer' })
  declare failures: number;

  @Column({ type: 'timestamptz' })
  declare blockedUntil: Date;

  @Column({ type: 'timestamptz' })
  declare lastTriedAt: Date;
}
