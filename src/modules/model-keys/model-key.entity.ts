import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** A key for models that an account has brought, used in place of the installation's. */
@Entity('model_keys')
@Check('model_keys_service_known', "service IN ('chat')")
export class ModelKey {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'model_keys_pkey' })
  declare userId: number;

  /** What it is used for. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'model_keys_pkey' })
  declare service: 'chat';

  /** Another one with each change by the account. */
  @Column({ type: 'uuid' })
  declare version: string;

  /** Null: OpenAI's own server. */
  @Column({ type: 'text', nullable: true })
  declare baseUrl: string | null;

  @Column({ type: 'text' })
  declare sealedApiKey: string;

  /** Null: the one that each assistant names. */
  @Column({ type: 'text', nullable: true })
  declare model: string | null;

  /** Since when the server refuses it; null while it does not. */
  @Column({ type: 'timestamptz', nullable: true })
  declare refusedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
