import { Check, Column, CreateDateColumn, Entity, Index, PrimaryColumn } from 'typeorm';

/** Larger answers are not kept. */
export const MAX_ANSWER_BYTES = 262_144;

/**
 * What became of the request that first used a key. It runs as long as it has no `responseStatus`; when its lease ends
 * before that, its process has died.
 */
@Entity('idempotency_keys')
@Index('idempotency_keys_expires_at_idx', ['expiresAt'])
@Index('idempotency_keys_scope_idx', ['scope', 'keyHash'])
@Check('idempotency_keys_sealed_size', 'octet_length(sealed_body) <= 350000')
export class IdempotencyKey {
  /** SHA-256 of scope, method, path and key. */
  @PrimaryColumn({ type: 'bytea', primaryKeyConstraintName: 'idempotency_keys_pkey' })
  declare keyHash: Buffer;

  /** Whose key it is: `account:12` or `conversation:<uuid>`. */
  @Column({ type: 'text' })
  declare scope: string;

  /** SHA-256 of query and body: what a repetition must have in common. */
  @Column({ type: 'bytea' })
  declare requestHash: Buffer;

  /** Names the run that may go on; another one takes over with another token. */
  @Column({ type: 'uuid' })
  declare leaseToken: string;

  @Column({ type: 'timestamptz' })
  declare leasedUntil: Date;

  /** Names what the request has made, written in the transaction that made it. */
  @Column({ type: 'text', nullable: true })
  declare effect: string | null;

  @Column({ type: 'smallint', nullable: true })
  declare responseStatus: number | null;

  /** The answer; null without one, and when it was too large or is erased. */
  @Column({ type: 'text', nullable: true })
  declare sealedBody: string | null;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;

  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;
}

/** What the row of a key holds of its answer. */
export type KeptAnswer = Pick<IdempotencyKey, 'keyHash' | 'sealedBody'>;
