import { Check, Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { KeyUse } from './key-use.js';

/** A key for models that an account has brought, used in place of the installation's. */
@Entity('model_keys')
@Check(
  'model_keys_service_known',
  `service IN ('chat', 'speech-deepgram', 'speech-elevenlabs', 'speech-openai', 'speech-google', 'speech-xai',
    'speech-azure', 'speech-cartesia')`,
)
export class ModelKey {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'model_keys_pkey' })
  declare userId: number;

  /** What it is used for. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'model_keys_pkey' })
  declare service: KeyUse;

  /** Another one with each change by the account. */
  @Column({ type: 'uuid' })
  declare version: string;

  /** Null: the vendor's own server. */
  @Column({ type: 'text', nullable: true })
  declare baseUrl: string | null;

  /** Of Azure: where the key is valid. Null for all others. */
  @Column({ type: 'text', nullable: true })
  declare region: string | null;

  @Column({ type: 'text' })
  declare sealedApiKey: string;

  /** Of chat. Null: the one that each assistant names. */
  @Column({ type: 'text', nullable: true })
  declare model: string | null;

  /** Of speech to text and text to speech, by the server's own names. Null: those of OpenAI. */
  @Column({ type: 'text', nullable: true })
  declare recognizerModel: string | null;

  @Column({ type: 'text', nullable: true })
  declare synthesizerModel: string | null;

  /** Since when the server refuses it; null while it does not. */
  @Column({ type: 'timestamptz', nullable: true })
  declare refusedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
