import { Injectable } from '@nestjs/common';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import type { RunningCall } from '../../active-calls/running-call.js';
import { CallCompletionService } from '../../call-completion/call-completion.service.js';
import { CallLostError } from '../../calls/calls.errors.js';
import type { SendResult } from './send-result.js';

/** A call that no campaign waits for is sent again for this long while the carrier takes none. */
const KEEP_TRYING_MS = 60_000;

/** Calls that the carrier did not take: postponed or failed. */
@Injectable()
export class UnplacedCallsService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly completion: CallCompletionService,
  ) {}

  /**
   * The carrier is away or takes no calls now: that is no attempt.
   *
   * @param isFirst the carrier was not asked for this call before
   */
  async postpone(found: RunningCall, isFirst: boolean): Promise<SendResult> {
    // A process may have sent it and died before it stored the result: the same key is sent again.
    if (isOfCampaign(found)) return isFirst ? 'undelivered' : 'unknown';
    const ages = await this.activeCalls.agesOf(found.call.id);
    if (ages && ages.callMs > KEEP_TRYING_MS) return this.fail(found, 'not-sent');
    if (isFirst) await this.activeCalls.returnToWaiting(found.call.id);
    return 'unknown';
  }

  /** Whose browser did not connect. @throws CallLostError where another process has ended the call before */
  expire(found: RunningCall): Promise<void> {
    return this.completion.unanswered(found, 'no-answer', null);
  }

  /** Returns `result`, also where another process has ended the call before. */
  async fail(found: RunningCall, result: SendResult): Promise<SendResult> {
    try {
      await this.completion.unanswered(found, 'failed', null, { dialInDoubt: result === 'unknown' });
    } catch (error) {
      if (!(error instanceof CallLostError)) throw error;
    }
    return result;
  }
}

/** Such a call is its lead's attempt, which the dialler takes back when it was not sent. */
export function isOfCampaign({ call }: RunningCall): boolean {
  return call.campaignName !== null;
}
