import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';

/** The right of one run of a request to make its effect and to write its answer. */
export interface Lease {
  readonly keyHash: Buffer;
  readonly token: string;
}

export interface NewKey extends Lease {
  readonly scope: string;
  readonly requestHash: Buffer;
}

export interface FoundKey {
  readonly keyHash: Buffer;
  readonly requestHash: Buffer;
  readonly leaseToken: string;
  readonly isLeaseOver: boolean;
  readonly isExpired: boolean;
  readonly responseStatus: number | null;
  readonly sealedBody: string | null;
}

/** Times are the database's own, so that processes need not agree on the clock. */
@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly database: Database) {}

  /** False when the key is already there. */
  async add(
    { keyHash, scope, requestHash, token }: NewKey,
    leaseMs: number,
    keepMs: number,
  ): Promise<boolean> {
    const added = await this.database.query(
      `INSERT INTO idempotency_keys (key_hash, scope, request_hash, lease_token, leased_until, expires_at)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 ms', now() + $6 * interval '1 ms')
       ON CONFLICT (key_hash) DO NOTHING
       RETURNING key_hash`,
      [keyHash, scope, requestHash, token, leaseMs, keepMs],
    );
    return added.length === 1;
  }

  find(keyHash: Buffer): Promise<FoundKey | null> {
    return this.database.first<FoundKey>(
      `SELECT key_hash AS "keyHash", request_hash AS "requestHash", lease_token AS "leaseToken", leased_until <= now() AS "isLeaseOver",
              expires_at <= now() AS "isExpired", response_status AS "responseStatus",
              sealed_body AS "sealedBody"
       FROM idempotency_keys WHERE key_hash = $1`,
      [keyHash],
    );
  }

  /** Gives the key of a run that died to another; false when a third one was quicker. */
  async takeOver({ keyHash, token }: Lease, previousToken: string, leaseMs: number): Promise<boolean> {
    const taken = await this.database.query(
      `UPDATE idempotency_keys SET lease_token = $2, leased_until = now() + $4 * interval '1 ms'
       WHERE key_hash = $1 AND lease_token = $3 AND leased_until <= now() AND response_status IS NULL
       RETURNING key_hash`,
      [keyHash, token, previousToken, leaseMs],
    );
    return taken.length === 1;
  }

  async renew({ keyHash, token }: Lease, leaseMs: number): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET leased_until = now() + $3 * interval '1 ms'
       WHERE key_hash = $1 AND lease_token = $2 AND response_status IS NULL`,
      [keyHash, token, leaseMs],
    );
  }

  /** The effect an earlier run has made; null without one, and when the lease is another's. */
  findEffect({ keyHash, token }: Lease): Promise<string | null> {
    return this.database.value<string>(
      'SELECT effect FROM idempotency_keys WHERE key_hash = $1 AND lease_token = $2',
      [keyHash, token],
    );
  }

  /** The effect an earlier run has made, locked until the transaction ends; undefined when the lease is another's. */
  async lockEffect({ keyHash, token }: Lease, tx: Tx): Promise<string | null | undefined> {
    const [row] = await this.database.query<{ effect: string | null }>(
      `SELECT effect FROM idempotency_keys
       WHERE key_hash = $1 AND lease_token = $2 AND response_status IS NULL FOR UPDATE`,
      [keyHash, token],
      tx,
    );
    return row?.effect;
  }

  async recordEffect({ keyHash, token }: Lease, effect: string, tx: Tx): Promise<void> {
    await this.database.query(
      'UPDATE idempotency_keys SET effect = $3 WHERE key_hash = $1 AND lease_token = $2',
      [keyHash, token, effect],
      tx,
    );
  }

  async complete({ keyHash, token }: Lease, status: number, sealedBody: string | null): Promise<void> {
    await this.database.query(
      `UPDATE idempotency_keys SET response_status = $3, sealed_body = $4
       WHERE key_hash = $1 AND lease_token = $2 AND response_status IS NULL`,
      [keyHash, token, status, sealedBody],
    );
  }

  /** Forgets a run that made nothing; one that made something ends its lease, so that a repetition finds the effect. */
  async release({ keyHash, token }: Lease): Promise<void> {
    await this.database.query(
      `WITH ended AS (
         UPDATE idempotency_keys SET leased_until = now()
         WHERE key_hash = $1 AND lease_token = $2 AND response_status IS NULL AND effect IS NOT NULL
       )
       DELETE FROM idempotency_keys
       WHERE key_hash = $1 AND lease_token = $2 AND response_status IS NULL AND effect IS NULL`,
      [keyHash, token],
    );
  }

  async deleteExpired(keyHash: Buffer): Promise<void> {
    await this.database.query('DELETE FROM idempotency_keys WHERE key_hash = $1 AND expires_at <= now()', [
      keyHash,
    ]);
  }

  /** Deletes up to `batch` expired keys and returns how many there were; many processes may do so. */
  sweep(batch: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM idempotency_keys WHERE key_hash IN (
         SELECT key_hash FROM idempotency_keys WHERE expires_at <= now()
         ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING key_hash`,
      [batch],
    );
  }
}
