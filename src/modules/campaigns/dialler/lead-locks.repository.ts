import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Database, type DatabaseSession } from '../../../database/database.js';

/** First half of the key of PostgreSQL's advisory locks; the lead is the other. */
const LOCK_CLASS = 7_041;

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

  constructor(private readonly database: Database) {}

  /** Null when another holds it, in this process or elsewhere. */
  async tryLock(leadId: number): Promise<LeadLock | null> {
    if (this.taken.has(leadId)) return null;
    this.taken.add(leadId);
    try {
      const session = await this.openSession();
      const [row] = await session.query<{ locked: boolean }>(
        'SELECT pg_try_advisory_lock($1, $2) AS locked',
        [LOCK_CLASS, leadId],
      );
      if (row?.locked) return { leadId, session };
    } catch (error) {
      this.taken.delete(leadId);
      throw error;
    }
    this.taken.delete(leadId);
    return null;
  }

  /** Whether the campaign still runs, asked over the lock's own connection: a lost one throws. */
  async campaignRuns({ session }: LeadLock, campaignId: number): Promise<boolean> {
    const rows = await session.query("SELECT FROM campaigns WHERE id = $1 AND status = 'in-progress'", [
      campaignId,
    ]);
    return rows.length > 0;
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
