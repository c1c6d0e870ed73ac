import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/time/clock.js';
import { CallsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { DestinationPolicy } from '../../providers/telephony/destination-policy.js';
import { isCallingHour, keepsHours } from '../calls/calling-hours.js';
import {
  type CalleeRefusal,
  DestinationRefusedError,
  DoNotCallError,
  OutsideCallingHoursError,
} from '../calls/calls.errors.js';
import { DoNotCallService } from '../do-not-call/do-not-call.service.js';
import type { RoutedCallee } from './call-order.js';

/** Refuses numbers that may not be called at all, or not now. */
@Injectable()
export class CalleeAdmissionService {
  constructor(
    private readonly destinations: DestinationPolicy,
    private readonly doNotCall: DoNotCallService,
    private readonly config: CallsConfig,
    private readonly clock: Clock,
  ) {}

  /** The refusals by attempt. */
  async refusedAmong(
    userId: number,
    callees: readonly RoutedCallee[],
    tx: Tx,
  ): Promise<Map<string, CalleeRefusal>> {
    const numbers = callees.map(({ to }) => to);
    const listed = await this.doNotCall.listedAmong(userId, numbers, tx);
    const refused = new Map<string, CalleeRefusal>();
    const now = this.clock.date();
    for (const { attemptId, to, carrier } of callees) {
      const destination = this.destinations.check(to, carrier);
      if (destination) refused.set(attemptId, new DestinationRefusedError(destination));
      else if (listed.has(to)) refused.set(attemptId, new DoNotCallError());
      else if (keepsHours(this.config.callingHours, carrier) && !isCallingHour(to, now)) {
        refused.set(attemptId, new OutsideCallingHoursError());
      }
    }
    return refused;
  }
}
