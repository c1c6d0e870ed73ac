import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';

/** Time between two calls, in milliseconds, of each limit that a call is subject to; null where there is none. */
export interface PaceLimits {
  readonly carrier: { readonly name: string; readonly stepMs: number } | null;
  readonly trunk: { readonly id: number; readonly stepMs: number } | null;
  readonly userId: number;
  readonly accountStepMs: number | null;
}

/** How far away a turn may be, in milliseconds. */
export interface Patience {
  readonly ofCarrier: number;
  /** Of the trunk and the account. */
  readonly ofOwner: number;
}

/**
 * - `taken`: the carrier may be asked after `waitMs`
 * - `lined-up`: the call has its slot of its trunk and account, and comes back after `waitMs` for one of the carrier.
 *   A slot of the carrier is not reserved for a call that must wait for another reason
 * - `held`: more calls wait for the trunk or the account than there is patience for; nothing is taken
 * - `crowded`: the same of the carrier
 */
export interface RateSlot {
  readonly outcome: 'taken' | 'lined-up' | 'held' | 'crowded';
  readonly waitMs: number;
}

/** All moments are the database's own. */
@Injectable()
export class CallRateLimitsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Takes the next slot of all limits together. Slots of one limit are a step apart, for all callers.
   *
   * @param patience null: the slot is taken, however late it is, and the call does not wait for it
   * @param isLinedUp it has its slot among those of its trunk and account
   */
  async acquire(limits: PaceLimits, patience: Patience | null, isLinedUp = false): Promise<RateSlot> {
    const { carrier, trunk, userId, accountStepMs } = limits;
    const [slot] = await this.database.writePrepared<RateSlot>(
      `SELECT outcome, wait_ms AS "waitMs" FROM take_call_turn($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        carrier?.name ?? null,
        carrier?.stepMs ?? null,
        trunk?.id ?? null,
        trunk?.stepMs ?? null,
        userId,
        accountStepMs,
        patience?.ofCarrier ?? null,
        patience?.ofOwner ?? null,
        isLinedUp,
      ],
    );
    if (!slot) throw new Error('the database answered no slot');
    return slot;
  }
}
