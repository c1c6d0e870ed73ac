import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';

/** How waits grow: nothing for the first failures, then a second, doubling with each one up to the longest. */
export interface BackoffRule {
  readonly freeFailures: number;
  readonly longestSeconds: number;
  /** After so long without a try the count begins anew. */
  readonly forgottenAfterSeconds: number;
}

/** Times are the database's own, so that processes need not agree on the clock. */
@Injectable()
export class LoginBackoffRepository {
  constructor(private readonly database: Database) {}

  /**
   * Counts a try before it is made, as if it had failed: of tries at the same moment no more come through than of tries
   * one after another. False while the subject has to wait.
   */
  admit(subject: Buffer, rule: BackoffRule): Promise<boolean> {
    return this.database.matches(
      `INSERT INTO login_backoffs AS known (subject, failures, blocked_until, last_tried_at)
       VALUES ($1, 1, now(), now())
       ON CONFLICT (subject) DO UPDATE SET (failures, blocked_until, last_tried_at) = (
         SELECT failed, now() + CASE WHEN failed <= $2::integer THEN interval '0'
             ELSE make_interval(secs => least($3::integer, 2 ^ least(failed - $2::integer - 1, 30))) END, now()
         FROM (SELECT CASE WHEN known.last_tried_at < now() - make_interval(secs => $4::integer) THEN 1
                 ELSE known.failures + 1 END AS failed) AS counted)
       WHERE known.blocked_until <= now()
       RETURNING failures`,
      [subject, rule.freeFailures, rule.longestSeconds, rule.forgottenAfterSeconds],
    );
  }

  /** Until the subject may try again; at least 1. */
  async waitSeconds(subject: Buffer): Promise<number> {
    const [row] = await this.database.query<{ seconds: string }>(
      'SELECT ceil(extract(epoch FROM blocked_until - now())) AS seconds FROM login_backoffs WHERE subject = $1',
      [subject],
    );
    return Math.max(1, Number(row?.seconds ?? 1));
  }

  /** Takes back the count of a try that was right. Earlier failures still count: they may be another's. */
  async takeBack(subject: Buffer): Promise<void> {
    await this.database.query(
      'UPDATE login_backoffs SET failures = greatest(failures - 1, 0), blocked_until = now() WHERE subject = $1',
      [subject],
    );
  }

  async forget(subject: Buffer): Promise<void> {
    await this.database.query('DELETE FROM login_backoffs WHERE subject = $1', [subject]);
  }

  async isKnown(subject: Buffer): Promise<boolean> {
    return (
      (await this.database.query('SELECT FROM known_addresses WHERE subject = $1', [subject])).length > 0
    );
  }

  async rememberAddress(subject: Buffer, userId: number): Promise<void> {
    await this.database.query(
      `INSERT INTO known_addresses (subject, user_id, last_login_at) VALUES ($1, $2, now())
       ON CONFLICT (subject) DO UPDATE SET last_login_at = excluded.last_login_at`,
      [subject, userId],
    );
  }

  async forgetAddresses(userId: number, tx: Tx): Promise<void> {
    await this.database.query('DELETE FROM known_addresses WHERE user_id = $1', [userId], tx);
  }

  /** Deletes up to `limit` counts without a new failure for so long; returns how many. */
  removeBackoffs(ageMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM login_backoffs WHERE subject IN (
         SELECT subject FROM login_backoffs
         WHERE last_tried_at < now() - $1 * interval '1 ms' AND blocked_until <= now()
         ORDER BY last_tried_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING subject`,
      [ageMs, limit],
    );
  }

  /** Deletes up to `limit` addresses without a login for so long; returns how many. */
  removeAddresses(ageMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM known_addresses WHERE subject IN (
         SELECT subject FROM known_addresses WHERE last_login_at < now() - $1 * interval '1 ms'
         ORDER BY last_login_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING subject`,
      [ageMs, limit],
    );
  }
}
