import { Injectable } from '@nestjs/common';
import { KeyedBatcher } from '#src/common/concurrency/keyed-batcher.js';
import type { DatabaseSession } from '#src/database/connections/database-session.js';
import { SessionLocks } from '#src/database/connections/session-locks.js';
import { inWindow, leftOfWindowMs } from './calling-window.js';

const MAX_ASKED_AT_ONCE = 64;

/** Whether a campaign calls. */
export interface CampaignRunState {
  readonly isRunning: boolean;
  /** For how long it may still call by its hours; 0 where it may not. */
  readonly openMs: number;
}

export const STOPPED: CampaignRunState = { isRunning: false, openMs: 0 };

/** The right to dial a lead, until it is given back or the connection it belongs to is lost. */
export interface LeadLock {
  readonly leadId: number;
  readonly session: DatabaseSession;
}

/** Who is about to dial a lead holds its lock. */
@Injectable()
export class LeadLocksRepository {
  /** Those that are asked for at the same time, over each connection. */
  private readonly runStates = new KeyedBatcher<DatabaseSession, number, CampaignRunState>(
    async (session, ids) => {
      const rows = await session.query<{ id: number; openMs: number }>(
        `SELECT id, CASE WHEN ${inWindow('now()')} THEN ${leftOfWindowMs('now()')} ELSE 0 END AS "openMs"
       FROM campaigns c WHERE id = ANY($1::int[]) AND status = 'in-progress'`,
        [[...new Set(ids)]],
      );
      const found = new Map(rows.map(({ id, openMs }) => [id, { isRunning: true, openMs }]));
      return ids.map((id) => found.get(id) ?? STOPPED);
    },
    MAX_ASKED_AT_ONCE,
  );

  constructor(private readonly locks: SessionLocks) {}

  /** Null when another holds it, in this process or elsewhere. */
  async tryLock(leadId: number): Promise<LeadLock | null> {
    const [lock] = await this.tryLockAll([leadId]);
    return lock ?? null;
  }

  /** The locks of those leads that are free, in this process and elsewhere. */
  async tryLockAll(leadIds: readonly number[]): Promise<LeadLock[]> {
    const locks = await this.locks.tryLockAll('lead', leadIds);
    return locks.map(({ id, session }) => ({ leadId: id, session }));
  }

  /** Whether and for how long the campaign may call, asked over the lock's own connection: a lost one throws. */
  runStateOf({ session }: LeadLock, campaignId: number): Promise<CampaignRunState> {
    return this.runStates.run(session, campaignId);
  }

  unlock({ leadId, session }: LeadLock): Promise<void> {
    return this.locks.unlock({ lockClass: 'lead', id: leadId, session });
  }
}
