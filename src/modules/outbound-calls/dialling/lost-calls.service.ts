import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import type { RunningCall } from '../../active-calls/running-call.js';
import { CarrierLookupService } from './carrier-lookup.service.js';
import type { SendResult } from './send-result.js';
import { UnplacedCallsService } from './unplaced-calls.service.js';

/** Ends calls whose voice process died while it placed them. No other process can carry their sound. */
@Injectable()
export class LostCallsService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly carriers: CallCarriers,
    private readonly lookup: CarrierLookupService,
    private readonly unplaced: UnplacedCallsService,
    private readonly logger: Logger,
  ) {}

  /** Hangs up where the carrier has the call, which then counts as dialled. To be called under the call's lock. */
  async end(callId: number): Promise<SendResult> {
    const found = await this.activeCalls.find(callId);
    if (found?.active.stage !== 'placing') return 'unknown';
    const lost = await this.find(found);
    if (lost === 'ask-later') return 'unknown';
    if (lost === null) return this.unplaced.fail(found, 'unknown');
    try {
      await this.carriers.named(found.active.carrier).hangUp(lost.carrierCallId);
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.logger.warn('call of a lost process not hung up', { callId, err: error });
      if (error.code !== 'no-such-call' && !(await this.lookup.isOverdue(found))) return 'unknown';
    }
    return this.unplaced.fail(found, 'sent');
  }

  /** Null where the carrier does not know the call, or cannot tell. */
  private async find(found: RunningCall): Promise<{ readonly carrierCallId: string } | 'ask-later' | null> {
    const { carrierCallId } = found.active;
    if (carrierCallId !== null) return { carrierCallId };
    const knowledge = await this.lookup.ask(found);
    if (typeof knowledge === 'object') return knowledge;
    const mayTellLater = knowledge === 'ask-later' && !(await this.lookup.isOverdue(found));
    return mayTellLater ? 'ask-later' : null;
  }
}
