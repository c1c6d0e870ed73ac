import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/time/clock.js';
import { CallsConfig } from '../../../config/config.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallRunnerService } from '../../call-sessions/call-runner.service.js';
import { CallRateLimiter } from '../../active-calls/rate-limit/call-rate-limiter.js';
import type { RunningCall } from '../../active-calls/running-call.js';
import { isCallingHour, keepsHours } from '../../calls/calling-hours.js';

/** Decides whether a number may be dialled now: by process, by deadline, by calling hours and by call rates. */
@Injectable()
export class DialPolicyService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly rateLimiter: CallRateLimiter,
    private readonly config: CallsConfig,
    private readonly clock: Clock,
    private readonly runner: CallRunnerService,
  ) {}

  /** Whether this process has a line for a call of the carrier, and the capacity. Another process may have both. */
  canPlaceHere({ capabilities, placesHere }: CallCarrier): boolean {
    const isFull = capabilities.livesInProcess && !this.runner.takesOwnLines;
    return placesHere && !isFull;
  }

  /**
   * Whether the deadline of the sender and the calling hours of the callee's country allow the call.
   *
   * @param dialBeforeMs of `performance.now()`
   */
  mayDial({ call, active }: RunningCall, dialBeforeMs: number): boolean {
    if (performance.now() >= dialBeforeMs) return false;
    const { type, clientPhoneNumber } = call;
    const carrier = this.carriers.named(active.carrier);
    // A web call starts in the browser: no number is dialled.
    if (type !== 'outbound' || !keepsHours(this.config.callingHours, carrier)) return true;
    return isCallingHour(clientPhoneNumber ?? '', this.clock.date());
  }

  /** Waits until all call rates allow the call. False where too many calls wait. */
  acquireRate({ call, active }: RunningCall): Promise<boolean> {
    const { userId, phoneNumberId, callsPerSecond } = active;
    return this.rateLimiter.acquire({
      carrier: this.carriers.named(active.carrier),
      userId,
      phoneNumberId,
      // A web call starts in the browser: no number is dialled.
      callsPerSecond: call.type === 'outbound' ? callsPerSecond : null,
    });
  }
}
