import { Injectable } from '@nestjs/common';
import { toE164 } from '../../common/phone/e164.js';
import { Logger } from '../../common/observability/logger.js';
import { Transactions } from '../../database/transactions.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { PlaceCall } from '../../providers/telephony/call/call-placing.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { DestinationPolicy } from '../../providers/telephony/destination-policy.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { ParallelCallsLimitError } from '../calls/calls.errors.js';
import { CallCapacityService } from '../active-calls/capacity/call-capacity.service.js';
import { CallRateLimiter } from '../active-calls/rate-limit/call-rate-limiter.js';
import { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import type { LegRoom } from '../active-calls/leases/lease-guarded-line.js';

/** A call whose customer is to be transferred. */
interface TransferringCall {
  readonly userId: number;
  /** The customer's number. */
  readonly customer: string | null;
  /** See ActiveCall. */
  readonly callsPerSecond: number | null;
  readonly lease: Pick<CallLease, 'callId' | 'token'>;
}

/** The number that a second leg is placed from, and the carrier it goes by. */
interface LegNumber {
  readonly id: number;
  readonly carrier: Pick<CallCarrier, 'name' | 'capabilities' | 'isSharedByAccounts'>;
}

/**
 * Admits the second legs of transfers. It counts them among the calls of their SIP trunks, and in the rate limits of
 * carrier, trunk and account. It also decides where they may go and which number they show. A call has one at a time.
 */
@Injectable()
export class SecondLegsService {
  constructor(
    private readonly ownership: CallOwnershipService,
    private readonly capacity: CallCapacityService,
    private readonly rateLimiter: CallRateLimiter,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
    private readonly destinations: DestinationPolicy,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  roomFor(call: TransferringCall, number: LegNumber): LegRoom {
    return { take: (request) => this.take(call, number, request), free: () => this.free(call) };
  }

  private async take(
    call: TransferringCall,
    { id, carrier }: LegNumber,
    { from, to }: Pick<PlaceCall, 'from' | 'to'>,
  ): Promise<void> {
    if (this.destinations.check(to, carrier)) throw new CallCarrierError('rejected', 'no');
    if (!(await this.mayShow(call, id, from))) throw new CallCarrierError('rejected', 'no');
    await this.count(call, id);
    try {
      // A customer waits for it, and campaigns may have taken all turns of the next seconds.
      const { userId, callsPerSecond } = call;
      await this.rateLimiter.countAhead({ carrier, userId, phoneNumberId: id, callsPerSecond });
    } catch (cause) {
      await this.free(call);
      throw new CallCarrierError('unavailable', 'no', { cause });
    }
  }

  /**
   * The operator of an account's own trunk, or own account at a carrier, knows whose numbers it lets through. One that all
   * accounts share lets through the numbers of all of them: there an account shows what it rents and what it has proven, and
   * not what it has typed as the number of a trunk.
   */
  private async mayShow({ userId, customer }: TransferringCall, id: number, from: string): Promise<boolean> {
    const own = await this.numbers.listOwned(userId);
    const number = own.find((one) => one.id === id);
    if (!number || number.type === 'sip' || number.carrierAccountId !== null) return true;
    const shown = toE164(from, number.countryCode) ?? from;
    return (
      shown === customer ||
      own.some((one) => one.phoneNumber === shown && (one.type === 'normal' || this.carriers.isVerified(one)))
    );
  }

  private async count({ userId, lease }: TransferringCall, id: number): Promise<void> {
    try {
      const isOurs = await this.transactions.run(async (tx) => {
        const { shortage } = await this.capacity.admit(userId, [{ trunkId: id }], tx);
        if (shortage) throw shortage;
        return this.ownership.setSecondLeg(lease, id, tx);
      });
      if (!isOurs) throw new Error(`call ${lease.callId} is another process's, or over`);
    } catch (cause) {
      const isFull = cause instanceof ParallelCallsLimitError;
      throw new CallCarrierError(isFull ? 'rejected' : 'unavailable', 'no', { cause });
    }
  }

  /** Never fails: what is not freed now is freed with the call. */
  private async free({ lease }: TransferringCall): Promise<void> {
    try {
      await this.ownership.setSecondLeg(lease, null);
    } catch (err) {
      this.logger.warn('second leg counted until the end of its call', { callId: lease.callId, err });
    }
  }
}
