import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { Transactions } from '../../../database/transactions.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { Call } from '../call.entity.js';
import { ParallelCallsLimitError } from '../calls.errors.js';
import { CallCapacityService } from '../placement/call-capacity.service.js';
import { ActiveCallsRepository } from './active-calls.repository.js';
import type { LegRoom } from './lease-guarded-line.js';

/** Counts the second legs of transfers among the calls of the SIP trunks they go by. A call has one at a time. */
@Injectable()
export class SecondLegsService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly capacity: CallCapacityService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** @param numberId of the number that the second leg is placed from */
  roomFor(call: Pick<Call, 'id' | 'userId'>, numberId: number): LegRoom {
    return { take: () => this.take(call, numberId), free: () => this.free(call.id) };
  }

  private async take({ id: callId, userId }: Pick<Call, 'id' | 'userId'>, numberId: number): Promise<void> {
    try {
      await this.transactions.run(async (tx) => {
        const { shortage } = await this.capacity.admit(userId, [{ trunkId: numberId }], tx);
        if (shortage) throw shortage;
        await this.activeCalls.setSecondLeg(callId, numberId, tx);
      });
    } catch (cause) {
      const isFull = cause instanceof ParallelCallsLimitError;
      throw new CallCarrierError(isFull ? 'rejected' : 'unavailable', 'no', { cause });
    }
  }

  /** Never fails: what is not freed now is freed with the call. */
  private async free(callId: number): Promise<void> {
    try {
      await this.activeCalls.setSecondLeg(callId, null);
    } catch (err) {
      this.logger.warn('second leg counted until the end of its call', { callId, err });
    }
  }
}
