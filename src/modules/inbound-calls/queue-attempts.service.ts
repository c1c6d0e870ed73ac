import { Injectable } from '@nestjs/common';
import type { BranchAction, CallRouting, RoutingReason } from '../../common/phone/call-routing.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { UnassistedCallsService } from '../active-calls/capacity/unassisted-calls.service.js';
import { QueuedCallsService } from '../active-calls/queue/queued-calls.service.js';
import type { RuntimeAssistant } from '../assistants/assistants.service.js';
import { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { IncomingEventsService } from '../inbound-events/incoming-events.service.js';
import { BUSY, type RoutingQueue } from '../inbound-routing/number-routing.js';
import { ForwardAttemptsService } from './forward-attempts.service.js';
import {
  beginAdmitted,
  type CallerRoute,
  InboundAdmissionService,
  type Refusal,
} from './inbound-admission.service.js';
import type { CalledNumber } from './inbound-routes.service.js';
import { MessageSpeakersService } from './message-speakers.service.js';

/**
 * Why a caller may wait. Not for a line of the trunk, which the wait itself would take, and not for money.
 */
const WORTH_WAITING: ReadonlySet<RoutingReason> = new Set(['account_full', 'platform_full', 'no_voice']);

/** Lets callers wait for an assistant, where their number has a queue. */
@Injectable()
export class QueueAttemptsService {
  constructor(
    private readonly admission: InboundAdmissionService,
    private readonly unassisted: UnassistedCallsService,
    private readonly queued: QueuedCallsService,
    private readonly sessions: CallSessionsService,
    private readonly speakers: MessageSpeakersService,
    private readonly forwards: ForwardAttemptsService,
    private readonly events: IncomingEventsService,
  ) {}

  /** Why a new caller of the number has to wait behind others; null where none waits. */
  async reasonToWait({ id, userId, routing }: CalledNumber): Promise<Refusal | null> {
    const reason = routing?.queue ? await this.queued.reasonOfFirst(userId, id) : null;
    return reason && { refused: reason };
  }

  /**
   * Answers a call that no assistant can answer now, and lets the caller wait. Returns the refusal where that does not help.
   *
   * @param assistant the one that is waited for
   */
  async enter(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    { routing, caller }: CallerRoute & { readonly routing: CallRouting },
    assistant: RuntimeAssistant,
    refusal: Refusal,
  ): Promise<'answered' | Refusal> {
    const queue = number.routing?.queue;
    if (!queue || !WORTH_WAITING.has(refusal.refused) || !this.admission.canSpeakOn(carrier)) return refusal;
    const fallback = await this.fallbackOf(carrier, offer, number, routing);
    const terms = await this.termsOf(queue, assistant, fallback);
    const admission = await this.admission.admitUnassisted(
      carrier,
      offer,
      number,
      { routing: { ...routing, reason: refusal.refused }, caller },
      async (call, begun, tx) => {
        const position = await this.unassisted.takeWaiting(call, terms, queue.max_waiting, begun, tx);
        await this.events.publishQueued(call, position, tx);
      },
    );
    return beginAdmitted(admission, (lease) => this.sessions.accept(lease, offer.callId));
  }

  private async termsOf(queue: RoutingQueue, assistant: RuntimeAssistant, fallback: BranchAction) {
    return {
      assistantId: assistant.id,
      maxSeconds: queue.max_seconds,
      message: queue.message,
      language: await this.speakers.languageFor(assistant),
      fallback,
    };
  }

  /** Nothing comes after the last part of the routing, or after a forward that must not be. */
  private async fallbackOf(
    carrier: CallCarrier,
    offer: InboundOffer,
    { routing: stored }: CalledNumber,
    { branch }: CallRouting,
  ): Promise<BranchAction> {
    if (!stored || branch === 'unavailable') return BUSY;
    const { unavailable } = stored;
    const isForward = unavailable.action === 'forward';
    if (isForward && !(await this.forwards.mayForward(carrier, offer, unavailable.phone_number))) return BUSY;
    return unavailable;
  }
}
