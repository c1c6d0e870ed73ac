import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';
import type { Scope } from '../../common/auth/scope.js';

/** A persistent key. Only its hash is kept. */
@Entity('api_keys')
@Index('api_keys_token_hash_key', ['tokenHash'], { unique: true })
@Index('api_keys_user_id_idx', ['userId', 'id'])
@Check('api_keys_publishable_check', 'NOT is_publishable OR scopes = ARRAY[]::text[]')
export class ApiKey extends OwnedRowWithCreatedAt {
  @IdColumn('api_keys_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  @Column({ type: 'timestamptz', nullable: true })
  declare lastUsedAt: Date | null;

  /** What it may do; null for everything. */
  @Column({ type: 'text', array: true, nullable: true })
  declare scopes: Scope[] | null;

  /** Made to be read by everybody in a page. */
  @Column({ type: 'boolean', default: false })
  declare isPublishable: boolean;

  /** Pages it may be used from; null for anywhere. */
  @Column({ type: 'text', array: true, nullable: true })
  declare allowedOrigins: string[] | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare expiresAt: Date | null;
}
