import { Check, Column, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';

/** For how many days an account keeps what people said; null: as long as the installation does. */
@Entity('retention_settings')
@Check('retention_settings_positive', 'calls_days >= 1 AND recordings_days >= 1 AND conversations_days >= 1')
export class RetentionSettings {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'retention_settings_pkey' })
  declare userId: number;

  @Column({ type: 'smallint', nullable: true })
  declare callsDays: number | null;

  @Column({ type: 'smallint', nullable: true })
  declare recordingsDays: number | null;

  @Column({ type: 'smallint', nullable: true })
  declare conversationsDays: number | null;

  @UpdateDateColumn({ type: 'timestamptz' })
  declare updatedAt: Date;
}
