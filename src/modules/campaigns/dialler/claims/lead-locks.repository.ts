import { Injectable } from '@nestjs/common';
import { KeyedBatches } from '../../../../common/concurrency/keyed-batches.js';
import type { DatabaseSession } from '../../../../database/connections/database-session.js';
import { SessionLocks } from '../../../../database/connections/session-locks.js';
import { inWindow } from './calling-window.js';

const MAX_ASKED_AT_ONCE = 64;

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
  /** Those that are asked for at the same time, over each connection. */
  private readonly stands = new KeyedBatches<DatabaseSession, number, CampaignStand>(async (session, ids) => {
    const rows = await session.query<{ id: number; open: boolean }>(
      `SELECT id, ${inWindow('now()')} AS open FROM campaigns c WHERE id = ANY($1::int[]) AND status = 'in-progress'`,
      [[...new Set(ids)]],
    );
    const isOpen = new Map(rows.map(({ id, open }) => [id, open]));
    return ids.map((id) => standBy(isOpen.get(id)));
  }, MAX_ASKED_AT_ONCE);

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
  standOf({ session }: LeadLock, campaignId: number): Promise<CampaignStand> {
    return this.stands.run(session, campaignId);
  }

  unlock({ leadId, session }: LeadLock): Promise<void> {
    return this.locks.unlock({ lockClass: 'lead', id: leadId, session });
  }
}

function standBy(isOpen: boolean | undefined): CampaignStand {
  if (isOpen === undefined) return 'stopped';
  return isOpen ? 'open' : 'closed';
}
