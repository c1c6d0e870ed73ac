import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

/** One try to deliver. Without an end while it runs, and for ever when its process died. */
@Entity('webhook_attempts')
export class WebhookAttempt {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  declare deliveryId: number;

  /** From 1. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'webhook_attempts_pkey' })
  declare number: number;

  @CreateDateColumn({ type: 'timestamptz' })
  declare startedAt: Date;

  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;

  @Column({ type: 'integer', nullable: true })
  declare durationMs: number | null;

  /** Null when there was no answer. */
  @Column({ type: 'integer', nullable: true })
  declare statusCode: number | null;

  /** Code of the outbound client when there was no answer. */
  @Column({ type: 'text', nullable: true })
  declare error: string | null;

  /** The beginning of the answer's body. */
  @Column({ type: 'text', nullable: true })
  declare responseBody: string | null;
}
