import { Injectable } from '@nestjs/common';
import type { CallRouting, RoutingReason } from '../../common/phone/call-routing.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer, RejectReason } from '../../providers/telephony/call/incoming-calls.js';
import type { RuntimeAssistant } from '../assistants/assistants.service.js';
import { CallSessionsService } from '../call-sessions/call-sessions.service.js';
import { ForwardAttemptsService } from './forward-attempts.service.js';
import { MessageAttemptsService } from './message-attempts.service.js';
import { QueueAttemptsService } from './queue-attempts.service.js';
import { NO_ROUTING, planOf, type RoutingStep } from '../inbound-routing/number-routing.js';
import { beginAdmitted, InboundAdmissionService, type Refusal } from './inbound-admission.service.js';
import { InboundLookupsService, type LookedUpCaller } from './inbound-lookups.service.js';
import { type CalledNumber, InboundRoutesService } from './inbound-routes.service.js';

/** Nothing has answered the call. */
export interface Unanswered {
  readonly hears: RejectReason;
  readonly reason: RoutingReason | null;
  /** Null for a number without a routing. */
  readonly routing: CallRouting | null;
  /** Null where the caller was not looked up. */
  readonly caller: LookedUpCaller | null;
}

/** One part of a routing, and what is known of the caller. */
interface Attempt {
  readonly step: RoutingStep;
  readonly routing: CallRouting;
  readonly caller: LookedUpCaller | null;
}

/** Tries to have a call answered, by one part of its number's routing after the other. */
@Injectable()
export class AnswerAttemptsService {
  constructor(
    private readonly lookups: InboundLookupsService,
    private readonly routes: InboundRoutesService,
    private readonly admission: InboundAdmissionService,
    private readonly sessions: CallSessionsService,
    private readonly messages: MessageAttemptsService,
    private readonly forwards: ForwardAttemptsService,
    private readonly queues: QueueAttemptsService,
  ) {}

  /** Whether this process can have the line of a call. */
  canCarry(carrier: CallCarrier): boolean {
    return this.admission.canCarry(carrier);
  }

  /** Whether a call that this process cannot carry goes to another one. */
  passesOn(carrier: CallCarrier): Promise<boolean> {
    return this.admission.passesOn(carrier);
  }

  /**
   * Has the call answered, here or by another process, after its caller has been looked up.
   *
   * @returns `full` where another process has to be asked, as this one has no more room
   */
  async answer(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
  ): Promise<'answered' | 'full' | Unanswered> {
    const caller = await this.lookups.lookUp(carrier, offer, number);
    if (caller === 'taken') return 'answered';
    // During a lookup other calls may have taken the room.
    const canCarry = this.canCarry(carrier);
    if (!canCarry && (await this.passesOn(carrier))) return 'full';
    const outcome = await this.attempt(carrier, offer, number, canCarry, caller);
    return outcome === 'answered' ? outcome : { ...outcome, caller };
  }

  private async attempt(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    canCarry: boolean,
    caller: LookedUpCaller | null,
  ): Promise<'answered' | Omit<Unanswered, 'caller'>> {
    const { steps } = planOf(number.routing ?? NO_ROUTING, new Date(), caller?.decision);
    const asked = caller && { lookup: caller.lookup };
    let failed: RoutingReason | null = null;
    for (const step of steps) {
      const routing: CallRouting = {
        branch: step.branch,
        action: step.action,
        reason: step.reason ?? failed,
        ...asked,
      };
      if (step.action === 'busy' || step.action === 'reject') return unanswered(number, routing, failed);
      const outcome = await this.tryStep(carrier, offer, number, { step, routing, caller }, canCarry);
      if (outcome === 'answered') return outcome;
      if (outcome === 'busy') return unanswered(number, { ...routing, action: 'busy' }, failed);
      failed ??= outcome.refused;
    }
    const how = { branch: 'unavailable', action: 'busy', reason: failed, ...asked } as const;
    return unanswered(number, how, failed);
  }

  /** `busy`: no other step is tried. */
  private async tryStep(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    attempt: Attempt,
    canCarry: boolean,
  ): Promise<'answered' | 'busy' | Refusal> {
    const { phoneNumber, text } = attempt.step;
    if (phoneNumber !== null) return this.forwards.forward(carrier, offer, number, phoneNumber, attempt);
    if (text !== null) return this.messages.answer(carrier, offer, number, text, attempt);
    return this.answerByAssistant(carrier, offer, number, attempt, canCarry);
  }

  private async answerByAssistant(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    attempt: Attempt,
    canCarry: boolean,
  ): Promise<'answered' | Refusal> {
    const mayWait = number.routing?.queue;
    if (!canCarry && !mayWait) return { refused: 'no_voice' };
    const assistant = await this.assistantOf(number, attempt.step);
    if (!assistant || !(await this.routes.activate(assistant))) return { refused: 'no_assistant' };
    const refusal = canCarry ? await this.queues.reasonToWait(number) : { refused: 'no_voice' as const };
    const outcome = refusal ?? (await this.admit(carrier, offer, number, attempt, assistant));
    if (outcome === 'answered' || !mayWait) return outcome;
    return this.queues.enter(carrier, offer, number, attempt, assistant, outcome);
  }

  private async admit(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    { routing, caller }: Attempt,
    assistant: RuntimeAssistant,
  ): Promise<'answered' | Refusal> {
    const admission = await this.admission.admit(carrier, offer, {
      assistant,
      phoneNumberId: number.id,
      routing: number.routing && routing,
      caller,
    });
    return beginAdmitted(admission, (lease) => this.sessions.accept(lease, offer.callId));
  }

  private async assistantOf(
    number: CalledNumber,
    { assistantId }: RoutingStep,
  ): Promise<RuntimeAssistant | null> {
    return assistantId === null ? number.assistant : this.routes.findNamed(number, assistantId);
  }
}

/** What callers of a number without a routing hear, by why it does not answer. */
const UNROUTED: Readonly<Partial<Record<RoutingReason, RejectReason>>> = {
  no_assistant: 'unassigned',
  no_voice: 'full',
};

/** A number without a routing says why it does not answer; one with a routing is busy. */
function unanswered(
  { routing }: CalledNumber,
  how: CallRouting,
  failed: RoutingReason | null,
): Omit<Unanswered, 'caller'> {
  const { reason } = how;
  if (routing) return { hears: 'busy', reason, routing: how };
  return { hears: (failed && UNROUTED[failed]) ?? 'busy', reason, routing: null };
}
