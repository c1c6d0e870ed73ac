import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { type OpenBreaker, secondsUntilRetry } from '../active-calls/carrier-breaker/open-breaker.js';
import { isMoneyShortage } from '../billing/billing.errors.js';
import {
  CallBeingPlacedError,
  CallNotAffordableError,
  CarrierUnavailableError,
} from '../calls/calls.errors.js';
import { CallsService } from '../calls/calls.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { type OutboundCall, OutboundCallsService } from './outbound-calls.service.js';

/** Reserves single calls, each once however often its request is repeated. */
@Injectable()
export class CallReservationsService {
  constructor(
    private readonly calls: CallsService,
    private readonly outbound: OutboundCallsService,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Returns the id of the call, also of one that the same request has made before.
   *
   * @param breaker of the carrier, asked for before, because a transaction must not wait for another connection
   */
  reserve(call: OutboundCall, breaker: OpenBreaker | null): Promise<number> {
    return this.transactions.runWithVerifiedCommit((tx) => this.reserveOnce(call, breaker, tx));
  }

  private reserveOnce(call: OutboundCall, breaker: OpenBreaker | null, tx: Tx): Promise<number> {
    return this.effect.once(tx, {
      make: async () => {
        // A call that was made before the carrier went away is still returned.
        if (breaker?.state === 'open') throw new CarrierUnavailableError(secondsUntilRetry(breaker));
        if (!this.effect.isKeyed) await this.refuseRepetition(call, tx);
        return this.write(call, tx);
      },
      referenceOf: String,
      recall: async (callId) => Number(callId),
    });
  }

  /** A client that lost the answer repeats the request. The number must not be called twice for that. */
  private async refuseRepetition({ userId, to }: OutboundCall, tx: Tx): Promise<void> {
    // Requests of one account wait here for one another, so that one of several at once comes first.
    await this.accounts.lockLimits(userId, tx);
    if (await this.calls.isBeingPlaced(userId, to, tx)) throw new CallBeingPlacedError();
  }

  private async write(call: OutboundCall, tx: Tx): Promise<number> {
    try {
      const { callId } = await this.outbound.reserve(tx, call);
      return callId;
    } catch (error) {
      throw isMoneyShortage(error) ? new CallNotAffordableError(error) : error;
    }
  }
}
