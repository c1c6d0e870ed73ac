import { Injectable } from '@nestjs/common';
import type { CallRouting } from '../../common/phone/call-routing.js';
import { Logger } from '../../common/observability/logger.js';
import { CallsConfig } from '../../config/config.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { DestinationPolicy } from '../../providers/telephony/destination-policy.js';
import { UnassistedCallsService } from '../active-calls/capacity/unassisted-calls.service.js';
import { ForwardsService } from '../active-calls/capacity/forwards.service.js';
import { FORWARD_RINGING_SECONDS } from '../call-sessions/forwards/far-ends.service.js';
import { ForwardedCallsService } from '../call-sessions/forwards/forwarded-calls.service.js';
import {
  beginAdmitted,
  type CallerRoute,
  InboundAdmissionService,
  type Refusal,
} from './inbound-admission.service.js';
import type { CalledNumber } from './inbound-routes.service.js';

/** Tries to have a call connected with another number. */
@Injectable()
export class ForwardAttemptsService {
  constructor(
    private readonly admission: InboundAdmissionService,
    private readonly unassisted: UnassistedCallsService,
    private readonly forwards: ForwardsService,
    private readonly calls: ForwardedCallsService,
    private readonly policy: DestinationPolicy,
    private readonly config: CallsConfig,
    private readonly logger: Logger,
  ) {}

  /**
   * `busy` for a call that was forwarded before, and where the operator does not allow the target any more.
   *
   * @param to E.164
   */
  async forward(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    to: string,
    { routing, caller }: CallerRoute & { readonly routing: CallRouting },
  ): Promise<'answered' | 'busy' | Refusal> {
    if (!this.admission.canDoWithoutAssistant(carrier)) return { refused: 'no_voice' };
    if (!(await this.mayForward(carrier, offer, to))) {
      this.logger.warn('call not forwarded', { phoneNumberId: number.id });
      return 'busy';
    }
    const admission = await this.admission.admitUnassisted(
      carrier,
      offer,
      number,
      { routing: { ...routing, forwardedTo: to }, caller },
      (call, begun, tx) => this.unassisted.takeForward(call, FORWARD_RINGING_SECONDS, begun, tx),
    );
    return beginAdmitted(admission, (lease) =>
      this.calls.forward(lease, offer.callId, {
        to,
        ringingTimeoutMs: FORWARD_RINGING_SECONDS * 1_000,
        maxMs: this.config.forwardMaxSeconds * 1_000,
        called: { id: number.id, phoneNumber: offer.to },
      }),
    );
  }

  /** Whether the operator allows the target (E.164), and the call was not forwarded before. */
  async mayForward(carrier: CallCarrier, offer: InboundOffer, to: string): Promise<boolean> {
    return this.policy.check(to, carrier) === null && !(await this.forwards.wasForwarded(offer));
  }
}
