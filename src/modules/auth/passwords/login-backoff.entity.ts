import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * How often a log-in failed. The subject is a hash of the e-mail, which need not belong to an account: guesses leave the
 * same trace whether the account exists or not.
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
