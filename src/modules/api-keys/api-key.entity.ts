import { Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A persistent key. Only its hash is kept. */
@Entity('api_keys')
@Index('api_keys_token_hash_key', ['tokenHash'], { unique: true })
@Index('api_keys_user_id_idx', ['userId', 'id'])
export class ApiKey {
  @PrimaryGeneratedColumn('identity', {
    type: 'integer',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'api_keys_pkey',
  })
  declare id: number;

  @Column({ type: 'integer' })
  declare userId: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  @Column({ type: 'timestamptz', nullable: true })
  declare lastUsedAt: Date | null;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
