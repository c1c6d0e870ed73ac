import { Injectable } from '@nestjs/common';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import type { RunningCall } from '../../active-calls/running-call.js';

/** After this time without an answer of the carrier, the call is given up. */
const GIVE_UP_AFTER_MS = 600_000;

/** What is known of a call that may have been sent. */
export type Knowledge = { readonly carrierCallId: string } | 'never-sent' | 'cannot-tell' | 'ask-later';

/** Asks carriers whether they have a call whose request had no answer. */
@Injectable()
export class CarrierLookupService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly activeCalls: ActiveCallsService,
  ) {}

  async ask(found: RunningCall): Promise<Knowledge> {
    try {
      const carrier = this.carriers.named(found.active.carrier);
      const lookup = await carrier.findCall(found.call.attemptId ?? '');
      if (lookup.found === 'yes') return { carrierCallId: lookup.call.callId };
      // A carrier that keeps keys does not dial one twice, so it may get the call again.
      const isKept = (await this.sendingForMs(found)) < carrier.capabilities.keyRetentionMs;
      return lookup.found === 'absent' || isKept ? 'never-sent' : 'cannot-tell';
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      return 'ask-later';
    }
  }

  /** Whether the carrier is not asked about the call any more. */
  async isOverdue(found: RunningCall): Promise<boolean> {
    return (await this.sendingForMs(found)) > GIVE_UP_AFTER_MS;
  }

  private async sendingForMs({ call }: RunningCall): Promise<number> {
    const ages = await this.activeCalls.agesOf(call.id);
    return ages?.stageMs ?? 0;
  }
}
