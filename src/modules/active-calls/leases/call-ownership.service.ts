import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import { ActiveCallsRepository } from '../active-calls.repository.js';
import type { RenewedLease } from '../running-call.js';
import { type CallLease, LEASE_MS } from './call-lease.js';

type Lease = Pick<CallLease, 'callId' | 'token'>;

/** Which process has an open call: the lease on its row, and what only the holder of the lease may write. */
@Injectable()
export class CallOwnershipService {
  constructor(private readonly activeCalls: ActiveCallsRepository) {}

  /**
   * Takes a call over that no process holds.
   *
   * @param force takes it from a process that holds it as well
   * @param lapsedMs how long the last lease must have been over
   */
  take({ callId, token }: Lease, force: boolean, lapsedMs = 0): Promise<boolean> {
    return this.activeCalls.takeLease(callId, token, LEASE_MS, force, lapsedMs);
  }

  /** Null when another process holds the call, or it has ended. */
  renew({ callId, token }: Lease): Promise<RenewedLease | null> {
    return this.activeCalls.renewLease(callId, token, LEASE_MS);
  }

  release({ callId, token }: Lease): Promise<void> {
    return this.activeCalls.releaseLease(callId, token);
  }

  /**
   * Notes the number from which a second leg of the call was placed; null: there is no second leg any more. False when another
   * process holds the call, or it has ended.
   */
  setSecondLeg({ callId, token }: Lease, numberId: number | null, tx?: Tx): Promise<boolean> {
    return this.activeCalls.setSecondLeg(callId, token, numberId, tx);
  }
}
