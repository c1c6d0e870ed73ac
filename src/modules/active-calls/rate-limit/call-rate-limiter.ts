import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CarrierBreakerService } from '../carrier-breaker/carrier-breaker.service.js';
import { CallRateLimitsRepository, type PaceLimits, type Patience } from './call-rate-limits.repository.js';

/**
 * The longest queue, as time at the carrier's rate. When more calls wait for a carrier, dialling pauses for
 * `PAUSE_MS`. For a trunk or an account the time is shorter, as each waiting call takes a place of its process. The
 * dialler claims their leads as their slots come (`rateSlotsLeft`), and need not look far ahead.
 */
const PATIENCE: Patience = { ofCarrier: 10_000, ofOwner: 2_000 };
const PAUSE_MS = 5_000;

/** A call by what limits how many are made a second. */
interface PacedCall {
  readonly carrier: Pick<CallCarrier, 'name' | 'capabilities'>;
  readonly userId: number;
  /** Of its row, which is also that of its SIP trunk; null for a number without one. */
  readonly phoneNumberId: number | null;
  /** How many calls a second its account may make; null: no limit. */
  readonly callsPerSecond: number | null;
}

/**
 * Asks for no more calls a second than carriers, SIP trunks and accounts are to have: see `placementsPerSecond` and
 * `placementsPerSecondOfTrunk` of a carrier's capabilities, and `callsPerSecond` of the active call.
 */
@Injectable()
export class CallRateLimiter {
  constructor(
    private readonly paces: CallRateLimitsRepository,
    private readonly breaker: CarrierBreakerService,
  ) {}

  /**
   * Waits until the carrier may be asked for the call. One without a limit costs nothing.
   *
   * @returns false where too many calls wait already. Of the carrier: all dialling pauses for a moment, as if the
   *   carrier had asked for it. Of the trunk or the account: other accounts are not affected
   */
  async acquire(call: PacedCall): Promise<boolean> {
    const limits = limitsOf(call);
    if (limits === null) return true;
    let turn = await this.paces.acquire(limits, PATIENCE);
    if (turn.outcome === 'lined-up') {
      await sleep(turn.waitMs);
      turn = await this.paces.acquire(limits, PATIENCE, true);
    }
    if (turn.outcome === 'crowded') await this.breaker.limit(call.carrier.name, PAUSE_MS);
    if (turn.outcome !== 'taken') return false;
    if (turn.waitMs > 0) await sleep(turn.waitMs);
    return true;
  }

  /** Counts a call that skips the queue because a person waits for it: waiting calls are delayed by it. */
  async countAhead(call: PacedCall): Promise<void> {
    const limits = limitsOf(call);
    if (limits !== null) await this.paces.acquire(limits, null);
  }
}

function limitsOf({ carrier, userId, phoneNumberId, callsPerSecond }: PacedCall): PaceLimits | null {
  const { placementsPerSecond, placementsPerSecondOfTrunk } = carrier.capabilities;
  const isOfTrunk = placementsPerSecondOfTrunk !== null && phoneNumberId !== null;
  if (placementsPerSecond === null && !isOfTrunk && callsPerSecond === null) return null;
  return {
    carrier:
      placementsPerSecond === null ? null : { name: carrier.name, stepMs: 1_000 / placementsPerSecond },
    trunk: isOfTrunk ? { id: phoneNumberId, stepMs: 1_000 / placementsPerSecondOfTrunk } : null,
    userId,
    accountStepMs: callsPerSecond === null ? null : 1_000 / callsPerSecond,
  };
}
