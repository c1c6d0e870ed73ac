import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import type { RunningCall } from '../../active-calls/running-call.js';
import { CallSessionsService } from '../../call-sessions/call-sessions.service.js';
import { CarrierLookupService, type Knowledge } from './carrier-lookup.service.js';
import { DialPolicyService } from './dial-policy.service.js';
import { DialRequestsService } from './dial-requests.service.js';
import type { SendResult } from './send-result.js';
import { isOfCampaign, UnplacedCallsService } from './unplaced-calls.service.js';

/** Dials calls whose stage is `placing`, and settles those whose request had no answer. */
@Injectable()
export class CallDiallingService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly carriers: CallCarriers,
    private readonly requests: DialRequestsService,
    private readonly policy: DialPolicyService,
    private readonly lookup: CarrierLookupService,
    private readonly sessions: CallSessionsService,
    private readonly unplaced: UnplacedCallsService,
    private readonly logger: Logger,
  ) {}

  /** Dials a call for which no process has asked the carrier before. */
  dialFirst(found: RunningCall): Promise<SendResult> {
    return this.dial(found, true);
  }

  /** Continues with a call whose process died, or did not receive the carrier's answer. */
  async recover(found: RunningCall, dialBeforeMs: number): Promise<SendResult> {
    const knowledge = await this.lookup.ask(found);
    if (knowledge === 'never-sent')
      return this.policy.mayDial(found, dialBeforeMs)
        ? this.dial(found, false)
        : this.unplaced.fail(found, 'not-sent');
    return this.settle(found, knowledge);
  }

  /** Monitors a call that the carrier has; fails a call of which the carrier can tell nothing. */
  async settle(found: RunningCall, knowledge: Exclude<Knowledge, 'never-sent'>): Promise<SendResult> {
    if (typeof knowledge === 'object') {
      await this.monitor(found, knowledge.carrierCallId);
      return 'sent';
    }
    const isHopeless = knowledge === 'cannot-tell' || (await this.lookup.isOverdue(found));
    return isHopeless ? this.unplaced.fail(found, 'unknown') : 'unknown';
  }

  /** @param isFirst what the carrier has not got was never sent */
  private async dial(found: RunningCall, isFirst: boolean): Promise<SendResult> {
    const carrier = this.carriers.named(found.active.carrier);
    if (!this.policy.canPlaceHere(carrier)) return this.unplaced.postpone(found, isFirst);
    try {
      await this.monitor(found, await this.requests.send(found));
      return 'sent';
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.requests.reportFailure(found, error);
      if (error.isUndelivered) return this.unplaced.postpone(found, isFirst);
      return error.sent === 'no' ? this.unplaced.fail(found, 'not-sent') : this.settleDoubt(found);
    }
  }

  /** As `recover`, without sending again: one request without an answer is enough for one lock. */
  private async settleDoubt(found: RunningCall): Promise<SendResult> {
    const knowledge = await this.lookup.ask(found);
    if (knowledge !== 'never-sent') return this.settle(found, knowledge);
    // The request may still be on its way, so a lead keeps its attempt and its key until the carrier has answered.
    return isOfCampaign(found) ? 'unknown' : this.unplaced.fail(found, 'not-sent');
  }

  /** A process that lost its lock during the request may return to a call that has failed since: that call must not ring on. */
  private async monitor(found: RunningCall, carrierCallId: string): Promise<void> {
    const { id: callId } = found.call;
    if (await this.sessions.begin(found, carrierCallId)) return;
    const now = await this.activeCalls.find(callId);
    if (now?.active.carrierCallId === carrierCallId) return;
    await this.carriers.named(found.active.carrier).hangUp(carrierCallId);
    this.logger.warn('call hung up that had been given up', { callId });
  }
}
