import { Injectable } from '@nestjs/common';
import type { CallRouting } from '../../common/phone/call-routing.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { UnassistedCallsService } from '../active-calls/capacity/unassisted-calls.service.js';
import { SpokenMessagesService } from '../call-sessions/spoken-messages.service.js';
import {
  beginAdmitted,
  type CallerRoute,
  InboundAdmissionService,
  type Refusal,
} from './inbound-admission.service.js';
import type { CalledNumber } from './inbound-routes.service.js';
import { MessageSpeakersService } from './message-speakers.service.js';

/** Tries to have a call answered with a text. */
@Injectable()
export class MessageAttemptsService {
  constructor(
    private readonly admission: InboundAdmissionService,
    private readonly unassisted: UnassistedCallsService,
    private readonly messages: SpokenMessagesService,
    private readonly speakers: MessageSpeakersService,
  ) {}

  async answer(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    text: string,
    { routing, caller }: CallerRoute & { readonly routing: CallRouting },
  ): Promise<'answered' | Refusal> {
    if (!this.admission.canDoWithoutAssistant(carrier)) return { refused: 'no_voice' };
    const admission = await this.admission.admitUnassisted(
      carrier,
      offer,
      number,
      { routing, caller },
      (call, begun, tx) => this.unassisted.takeMessage(call, begun, tx),
    );
    return beginAdmitted(admission, async (lease) =>
      this.messages.speak(lease, offer.callId, { text, ...(await this.speakers.find(number)) }),
    );
  }
}
