import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database, type DatabaseSession } from '../../../database/database.js';
import { inWindow } from './calling-window.js';

/** First half of the key of PostgreSQL's advisory locks; the lead is the other. */
const LOCK_CLASS = 7_041;

/** `closed`: the campaign runs, but calls nobody at this hour. */
export type CampaignStand = 'open' | 'closed' | 'stopped';

/** The right to dial a lead, until it is given back or the connection it belongs to is lost. */
export interface LeadLock {
  readonly leadId: number;
  readonly session: DatabaseSession;
}

/**
 * Who is about to dial a lead holds its advisory lock. It belongs to a session: of a process that dies it is free at
 * once, and one that is frozen keeps it, so that nobody takes over what may still be sent. One session serves the whole
 * process; within it, the set below tells owners apart.
 */
@Injectable()
export class LeadLocks implements BeforeApplicationShutdown {
  private readonly taken = new Set<number>();
  private opening: Promise<DatabaseSession> | null = null;
  private session: DatabaseSession | null = null;
  private isClosed = false;

  constructor(private readonly database: Database) {}

  /** Null when another holds it, in this process or elsewhere. */
  async tryLock(leadId: number): Promise<LeadLock | null> {
    const [lock] = await this.tryLockAll([leadId]);
    return lock ?? null;
  }

  /** The locks of those leads that nobody else holds, in this process or elsewhere. */
  async tryLockAll(leadIds: readonly number[]): Promise<LeadLock[]> {
    // A session that is opened after the end would be closed by nobody.
    if (this.isClosed) return [];
    const free = leadIds.filter((leadId) => !this.taken.has(leadId));
    if (free.length === 0) return [];
    for (const leadId of free) this.taken.add(leadId);
    let locked = new Set<number>();
    try {
      const session = await this.openSession();
      const rows = await session.query<{ id: number; locked: boolean }>(
        'SELECT id, pg_try_advisory_lock($1, id) AS locked FROM unnest($2::int[]) AS id',
        [LOCK_CLASS, free],
      );
      locked = new Set(rows.filter((row) => row.locked).map(({ id }) => id));
      return [...locked].map((leadId) => ({ leadId, session }));
    } finally {
      for (const leadId of free) if (!locked.has(leadId)) this.taken.delete(leadId);
    }
  }

  /** Whether the campaign may call at this moment, asked over the lock's own connection: a lost one throws. */
  async standOf({ session }: LeadLock, campaignId: number): Promise<CampaignStand> {
    const [row] = await session.query<{ open: boolean }>(
      `SELECT ${inWindow('now()')} AS open FROM campaigns c WHERE id = $1 AND status = 'in-progress'`,
      [campaignId],
    );
    if (!row) return 'stopped';
    return row.open ? 'open' : 'closed';
  }

  async unlock({ leadId, session }: LeadLock): Promise<void> {
    try {
      // With its connection, the lock is gone already.
      if (!session.isLost()) await session.query('SELECT pg_advisory_unlock($1, $2)', [LOCK_CLASS, leadId]);
    } finally {
      this.taken.delete(leadId);
    }
  }

  /** After `onModuleDestroy`, in which the dialler finishes what it is sending. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    await this.opening?.catch(() => undefined);
    if (this.session && !this.session.isLost()) await this.session.close();
    this.session = null;
  }

  private openSession(): Promise<DatabaseSession> {
    if (this.session?.isLost()) this.opening = null;
    this.opening ??= this.open();
    return this.opening;
  }

  private async open(): Promise<DatabaseSession> {
    try {
      this.session = await this.database.openSession();
      return this.session;
    } catch (error) {
      this.opening = null;
      throw error;
    }
  }
}
