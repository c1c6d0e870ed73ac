import { Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A request for a password link by e-mail. A worker looks up the person, so that the answer takes the same time for
 * e-mails without an account.
 */
@Entity('password_requests')
@Index('password_requests_email_key', ['email'], { unique: true })
@Index('password_requests_created_at_idx', ['createdAt'])
export class PasswordRequest {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'password_requests_pkey' })
  declare id: string;

  @Column({ type: 'text' })
  declare email: string;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
