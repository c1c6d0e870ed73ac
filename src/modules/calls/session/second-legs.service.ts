import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { ParallelCallsLimitError } from '../calls.errors.js';
import { CallCapacityService } from '../placement/call-capacity.service.js';
import { CarrierPaceService } from '../placement/carrier-pace.service.js';
import { ActiveCallsRepository } from './active-calls.repository.js';
import type { CallLease } from './call-lease.js';
import type { LegRoom } from './lease-guarded-line.js';

/** A call whose customer is to be transferred. */
interface TransferringCall {
  readonly userId: number;
  readonly lease: Pick<CallLease, 'callId' | 'token'>;
}

/** The number that a second leg is placed from, and the carrier it goes by. */
interface LegNumber {
  readonly id: number;
  readonly carrier: Pick<CallCarrier, 'name' | 'capabilities'>;
}

/**
 * Counts the second legs of transfers among the calls of the SIP trunks they go by, and among the calls a second that their
 * carrier takes. A call has one at a time.
 */
@Injectable()
export class SecondLegsService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly capacity: CallCapacityService,
    private readonly pace: CarrierPaceService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  roomFor(call: TransferringCall, number: LegNumber): LegRoom {
    return { take: () => this.take(call, number), free: () => this.free(call) };
  }

  private async take(call: TransferringCall, { id, carrier }: LegNumber): Promise<void> {
    await this.count(call, id);
    try {
      // A customer waits for it, and campaigns may have taken all turns of the next seconds.
      await this.pace.goFirst(carrier);
    } catch (cause) {
      await this.free(call);
      throw new CallCarrierError('unavailable', 'no', { cause });
    }
  }

  private async count({ userId, lease: { callId, token } }: TransferringCall, id: number): Promise<void> {
    try {
      const isOurs = await this.transactions.run(async (tx) => {
        const { shortage } = await this.capacity.admit(userId, [{ trunkId: id }], tx);
        if (shortage) throw shortage;
        return this.activeCalls.setSecondLeg(callId, token, id, tx);
      });
      if (!isOurs) throw new Error(`call ${callId} is another process's, or over`);
    } catch (cause) {
      const isFull = cause instanceof ParallelCallsLimitError;
      throw new CallCarrierError(isFull ? 'rejected' : 'unavailable', 'no', { cause });
    }
  }

  /** Never fails: what is not freed now is freed with the call. */
  private async free({ lease: { callId, token } }: TransferringCall): Promise<void> {
    try {
      await this.activeCalls.setSecondLeg(callId, token, null);
    } catch (err) {
      this.logger.warn('second leg counted until the end of its call', { callId, err });
    }
  }
}
