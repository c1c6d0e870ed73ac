import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { Database } from '../../database/database.js';
import type { Tx } from '../../database/transactions.js';
import { AuditLogEntry } from './audit-log-entry.entity.js';

export type NewEntry = Pick<
  AuditLogEntry,
  'id' | 'userId' | 'via' | 'tokenId' | 'memberId' | 'network' | 'action'
>;

/** A change whose entry is written in its transaction. What is left out is null. */
export type DoneChange = Pick<AuditLogEntry, 'userId' | 'via' | 'action'> &
  Partial<Pick<AuditLogEntry, 'tokenId' | 'memberId' | 'network' | 'reason' | 'resourceId'>>;

/** The outcome of a change. */
export type Outcome = Pick<AuditLogEntry, 'id' | 'resourceId'> & { readonly status: number };

/** Of one account, of the commands that concern no single account, or of everything. */
export type LogScope = number | 'installation' | 'all';

/** Where a page of the log begins: after this entry. */
export type LogPosition = Pick<AuditLogEntry, 'createdAt' | 'id'>;

export interface LogFilter {
  readonly action?: string;
  readonly from?: Date;
  readonly before?: Date;
}

@Injectable()
export class AuditLogRepository {
  constructor(private readonly database: Database) {}

  /**
   * Writes entries, and does not wait for the disk: the log of the database is written in its order, so that no change
   * which begins after this is on the disk without them.
   */
  async addAll(entries: readonly NewEntry[]): Promise<void> {
    await this.database.writePrepared(
      `INSERT INTO audit_log_entries (id, user_id, via, token_id, member_id, network, action)
       SELECT entry.* FROM set_config('synchronous_commit', 'off', true),
         unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[]) AS entry`,
      [
        entries.map(({ id }) => id),
        entries.map(({ userId }) => userId),
        entries.map(({ via }) => via),
        entries.map(({ tokenId }) => tokenId),
        entries.map(({ memberId }) => memberId),
        entries.map(({ network }) => network),
        entries.map(({ action }) => action),
      ],
    );
  }

  /** In the transaction that makes the change, so that its outcome is known. */
  async addDone(change: DoneChange, tx: Tx): Promise<void> {
    const { userId, via, action, tokenId, memberId, network, reason, resourceId } = change;
    await this.database.query(
      `INSERT INTO audit_log_entries
         (id, user_id, via, action, token_id, member_id, network, reason, resource_id, status)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, 200)`,
      [
        userId,
        via,
        action,
        tokenId ?? null,
        memberId ?? null,
        network ?? null,
        reason ?? null,
        resourceId ?? null,
      ],
      tx,
    );
  }

  async settle(outcomes: readonly Outcome[]): Promise<void> {
    await this.database.writePrepared(
      `UPDATE audit_log_entries AS entry SET status = given.status, resource_id = given.resource_id
       FROM unnest($1::uuid[], $2::smallint[], $3::text[]) AS given (id, status, resource_id)
       WHERE entry.id = given.id AND entry.status IS NULL`,
      [
        outcomes.map(({ id }) => id),
        outcomes.map(({ status }) => status),
        outcomes.map(({ resourceId }) => resourceId),
      ],
    );
  }

  /** Newest first. */
  page(
    scope: LogScope,
    filter: LogFilter,
    after: LogPosition | null,
    limit: number,
  ): Promise<AuditLogEntry[]> {
    const query = this.matching(scope, filter)
      .orderBy('entry.created_at', 'DESC')
      .addOrderBy('entry.id', 'DESC')
      .limit(limit);
    if (after) {
      query.andWhere('(entry.created_at, entry.id) < (:at, :id)', { at: after.createdAt, id: after.id });
    }
    return query.getMany();
  }

  count(userId: number, filter: LogFilter): Promise<number> {
    return this.matching(userId, filter).getCount();
  }

  /** Deletes entries of all accounts, and of none, that are older than that, oldest first. Returns how many. */
  removeOld(ageMs: number, limit: number): Promise<number> {
    return this.database.affected(
      `DELETE FROM audit_log_entries WHERE id IN (
         SELECT id FROM audit_log_entries WHERE created_at < now() - $1 * interval '1 millisecond'
         ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [ageMs, limit],
    );
  }

  private matching(scope: LogScope, { action, from, before }: LogFilter): SelectQueryBuilder<AuditLogEntry> {
    const query = this.database.manager().createQueryBuilder(AuditLogEntry, 'entry');
    if (scope === 'installation') query.where('entry.user_id IS NULL');
    else if (scope !== 'all') query.where('entry.user_id = :userId', { userId: scope });
    if (action !== undefined) query.andWhere('entry.action = :action', { action });
    if (from) query.andWhere('entry.created_at >= :from', { from });
    if (before) query.andWhere('entry.created_at < :before', { before });
    return query;
  }
}
