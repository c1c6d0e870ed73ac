import { Injectable } from '@nestjs/common';
import type { DatabaseSession } from '../../../database/database-session.js';
import { SessionLocks } from '../../../database/session-locks.js';
import { inWindow } from './calling-window.js';

/** `closed`: the campaign runs, but calls nobody at this hour. */
export type CampaignStand = 'open' | 'closed' | 'stopped';

/** The right to dial a lead, until it is given back or the connection it belongs to is lost. */
export interface LeadLock {
  readonly leadId: number;
  readonly session: DatabaseSession;
}

/** Who is about to dial a lead holds its lock. */
@Injectable()
export class LeadLocksRepository {
  constructor(private readonly locks: SessionLocks) {}

  /** Null when another holds it, in this process or elsewhere. */
  async tryLock(leadId: number): Promise<LeadLock | null> {
    const [lock] = await this.tryLockAll([leadId]);
    return lock ?? null;
  }

  /** The locks of those leads that nobody else holds, in this process or elsewhere. */
  async tryLockAll(leadIds: readonly number[]): Promise<LeadLock[]> {
    const locks = await this.locks.tryLockAll('lead', leadIds);
    return locks.map(({ id, session }) => ({ leadId: id, session }));
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

  unlock({ leadId, session }: LeadLock): Promise<void> {
    return this.locks.unlock({ lockClass: 'lead', id: leadId, session });
  }
}
