import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { RetentionConfig } from '../../config/config.js';
import { Singleflight } from '../../common/concurrency/singleflight.js';
import type { Tx } from '../../database/transactions.js';
import { Handles } from '../../queues/workers/handles.js';
import { MembersService } from '../accounts/members/members.service.js';
import type { AuditLogEntry } from './audit-log-entry.entity.js';
import {
  AuditLogRepository,
  type LogFilter,
  type LogPosition,
  type NewEntry,
  type Outcome,
} from './audit-log.repository.js';
import type { ChangeReason } from './change-reason.js';
import { RefusedSignInsService } from './sign-ins/refused-sign-ins.service.js';
import { sweepAuditLogJob } from './sweep-audit-log.job.js';

const SETTLE_AFTER_MS = 200;
/** Outcomes that wait for a database that is away. Beyond that they stay unknown, and the log says how many. */
const MAX_WAITING = 10_000;
const SETTLE_BATCH = 500;
const SWEEP_BATCH = 1_000;

/** A change that the platform makes by itself. */
interface OwnChange {
  readonly userId: number;
  readonly action: string;
  readonly resourceId: string;
  readonly reason: ChangeReason;
}

/** A page of the log, newest first. */
export interface LogPage {
  readonly entries: readonly AuditLogEntry[];
  /** Names of the members in it who are there still, by id. */
  readonly names: ReadonlyMap<number, string>;
  /** Null on the last page. */
  readonly next: LogPosition | null;
}

/**
 * Records who changes what. The entry is written before the change begins, or the change does not begin. Its outcome
 * follows a moment after the answer, several in one statement. A change can therefore miss its outcome, but never its
 * entry.
 */
@Injectable()
export class AuditLogService implements BeforeApplicationShutdown {
  private beginning: NewEntry[] = [];
  private readonly writeBeginning = new Singleflight(() => this.entries.addAll(this.beginning.splice(0)));
  private waiting: Outcome[] = [];
  /** Shared, so that a caller during a write waits for its outcomes as well. */
  private readonly settling = new Singleflight(() => this.settleWaiting());
  private timer: NodeJS.Timeout | null = null;
  private dropped = 0;

  constructor(
    private readonly entries: AuditLogRepository,
    private readonly members: MembersService,
    private readonly refusedSignIns: RefusedSignInsService,
    private readonly retention: RetentionConfig,
    private readonly logger: Logger,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.settling.run();
    if (this.timer) clearTimeout(this.timer);
  }

  /** Before a change. Returns the id of its entry. Changes that begin at the same time share one write. */
  async begin(change: Omit<NewEntry, 'id'>): Promise<string> {
    const id = randomUUID();
    this.beginning.push({ ...change, id });
    await this.writeBeginning.run();
    return id;
  }

  /** After the answer. Never fails. */
  end(outcome: Outcome): void {
    if (this.waiting.length >= MAX_WAITING) this.dropped += 1;
    else this.waiting.push(outcome);
    this.timer ??= setTimeout(() => void this.settling.run(), SETTLE_AFTER_MS).unref();
  }

  /** Writes down a change that the platform makes by itself, in the transaction that makes it. */
  record(change: OwnChange, tx: Tx): Promise<void> {
    return this.entries.addDone({ ...change, via: 'platform' }, tx);
  }

  /** Newest first; what this process has answered is in it. */
  async list(userId: number, filter: LogFilter, after: LogPosition | null, limit: number): Promise<LogPage> {
    await this.settle();
    const found = await this.entries.page(userId, filter, after, limit + 1);
    const entries = found.slice(0, limit);
    const names = await this.members.namesOf(
      userId,
      entries.map(({ memberId }) => memberId).filter((id) => id !== null),
    );
    return { entries, names, next: found.length > limit ? (entries.at(-1) ?? null) : null };
  }

  /** How many entries the list has with this filter. */
  async count(userId: number, filter: LogFilter): Promise<number> {
    await this.settle();
    return this.entries.count(userId, filter);
  }

  /** Deletes entries that are older than they are kept. Safe in many processes at once. */
  @Handles(sweepAuditLogJob)
  async sweep(): Promise<void> {
    while ((await this.entries.removeOld(this.retention.auditLogMs, SWEEP_BATCH)) === SWEEP_BATCH);
  }

  private async settle(): Promise<void> {
    await Promise.all([this.settling.run(), this.refusedSignIns.settle()]);
  }

  /** Never fails: what is not written now is written later. */
  private async settleWaiting(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const outcomes = this.waiting.splice(0, SETTLE_BATCH);
    if (outcomes.length === 0) return;
    try {
      await this.entries.settle(outcomes);
    } catch (error) {
      this.waiting.unshift(...outcomes);
      this.logger.warn('outcomes of audited changes not written yet', { err: error, dropped: this.dropped });
    }
    if (this.waiting.length > 0)
      this.timer ??= setTimeout(() => void this.settling.run(), SETTLE_AFTER_MS).unref();
  }
}
