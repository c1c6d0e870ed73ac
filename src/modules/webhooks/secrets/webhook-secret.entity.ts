import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** What an account's deliveries are signed with; made when it is first needed. */
@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'webhook_secrets_pkey' })
  declare userId: number;

  @Column({ type: 'text' })
  declare sealedSecret: string;

  /** The one before, which signs as well until it expires. */
  @Column({ type: 'text', nullable: true })
  declare sealedPreviousSecret: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare previousExpiresAt: Date | null;

  /** When the current secret was made. */
  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
