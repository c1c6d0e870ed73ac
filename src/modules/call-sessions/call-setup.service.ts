import { Injectable } from '@nestjs/common';
import type { SessionPreparation } from '../../runtime/call/session/assistant-session.js';
import type { CallSetup, ResumedSession } from '../../runtime/call/session/call-setup.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { SecondLegLine } from '../../providers/telephony/call/call-line.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { DestinationPolicy } from '../../providers/telephony/destination-policy.js';
import { withInitialMessage } from '../../runtime/compile-assistant.js';
import type { ToolOrigin } from '../../runtime/tools/tool.js';
import { type CallAssistant, CallAssistantsService } from '../active-calls/call-assistants.service.js';
import type { CallHandoffs } from '../active-calls/handoffs/call-handoffs.service.js';
import { CallHandoffsService } from '../active-calls/handoffs/call-handoffs.service.js';
import { OfferRingsService } from '../person-takeovers/offers/offer-rings.service.js';
import { PersonTakeoversService } from '../person-takeovers/person-takeovers.service.js';
import type { FunctionCallNotes } from '../calls/turns/call-function-calls.service.js';
import type { StoredCall } from '../calls/call-facts.js';
import { CallObserversService } from './observers/call-observers.service.js';
import { type AnsweredLine, type MonitoredCall, sinceAnswerMs, variableContextOf } from './monitored-call.js';
import { SecondLegsService } from './second-legs.service.js';

/** Collects what the controller of an answered call needs to know. */
@Injectable()
export class CallSetupService {
  constructor(
    private readonly handoffs: CallHandoffsService,
    private readonly secondLegs: SecondLegsService,
    private readonly observers: CallObserversService,
    private readonly carriers: CallCarriers,
    private readonly policy: DestinationPolicy,
    private readonly takeovers: PersonTakeoversService,
    private readonly offers: OfferRingsService,
    private readonly assistants: CallAssistantsService,
  ) {}

  /** What a session needs while the call rings, to render the greeting. */
  ofRinging(ringing: MonitoredCall, { compiled, voice }: CallAssistant): SessionPreparation {
    const { call, active, lease, carrierCallId } = ringing;
    return {
      callId: carrierCallId,
      userId: call.userId,
      assistant: withInitialMessage(compiled, active.initialMessage),
      variables: compiled.variablesOf(variableContextOf(ringing)),
      voice,
      signal: lease.signal,
    };
  }

  /** @returns the setup, and the record of the tools that run on the call */
  async ofAnswered(
    answered: MonitoredCall,
    assistant: CallAssistant,
    line: AnsweredLine,
  ): Promise<{ readonly setup: CallSetup; readonly notes: FunctionCallNotes }> {
    const { call, active, lease, carrierCallId } = answered;
    const { events, state, wasInProgress } = line;
    const party = { call, lease, variableContext: variableContextOf(answered) };
    const handoffs = wasInProgress ? await this.handoffs.resume(party) : this.handoffs.begin(party);
    const notes = this.observers.notesOf(call);
    const held = { userId: call.userId, lease };
    if (wasInProgress) await this.offers.endOffersOf(held);
    const lines = this.linesOf(answered, assistant);
    const setup: CallSetup = {
      callId: carrierCallId,
      assistant: withInitialMessage(assistant.compiled, active.initialMessage),
      variableContext: party.variableContext,
      origin: originOf(call),
      // Money is held for the duration that was set when the call began.
      settings: {
        ...assistant.settings,
        maxDurationMs: (active.maxDurationSeconds - active.waitedSeconds) * 1_000,
      },
      ...lines,
      voice: assistant.voice,
      // The setting of the moment the call began: the consent of the customer is to that one.
      recordAs: call.recordingEnabled ? call.id : null,
      amdEnabled: call.type === 'outbound',
      listener: this.observers.listenerOf(answered, notes),
      signal: lease.signal,
      handoffs: handoffs.source,
      offers: this.offers.offersOf(held),
      events,
      answeredBy: state?.answeredBy ?? null,
      isHeld: state?.isHeld ?? false,
      ...(wasInProgress
        ? {
            resumed: resumedSession(answered, line, handoffs),
            takeover: await this.takeovers.resume(held),
          }
        : {}),
    };
    return { setup, notes };
  }

  /** The numbers that transfers may go out from. */
  private linesOf(
    answered: MonitoredCall,
    assistant: CallAssistant,
  ): Pick<CallSetup, 'numbers' | 'secondLegs' | 'loadNumbers' | 'destinations'> {
    const { call, active } = answered;
    const numbers = new Map(assistant.numbers);
    const carriers = new Map(assistant.secondLegs);
    const secondLegs = this.secondLegsOf(answered, carriers);
    const own = this.carriers.named(active.carrier);
    const load = async () => {
      const found = await this.assistants.numbersOf(call.userId);
      for (const [id, number] of found.numbers) numbers.set(id, number);
      for (const [id, carrier] of found.secondLegs) carriers.set(id, carrier);
      for (const [id, line] of this.secondLegsOf(answered, carriers)) secondLegs.set(id, line);
    };
    return {
      numbers,
      secondLegs,
      loadNumbers: async () => {
        if (numbers.size === 0) await load();
      },
      destinations: {
        check: (to, phoneNumberId) => {
          const carrier = phoneNumberId === null ? own : carriers.get(phoneNumberId);
          return carrier ? this.policy.check(to, carrier) : null;
        },
      },
    };
  }

  private secondLegsOf(
    { call, active, lease }: MonitoredCall,
    carriers: ReadonlyMap<number, CallCarrier>,
  ): Map<number, SecondLegLine> {
    const { userId, clientPhoneNumber: customer } = call;
    const transferring = { userId, customer, callsPerSecond: active.callsPerSecond, lease };
    return new Map(
      [...carriers].map(([id, carrier]) => {
        const room = this.secondLegs.roomFor(transferring, { id, carrier });
        return [id, lease.line.secondLegsOn(carrier, room)];
      }),
    );
  }
}

function resumedSession(
  { active, lease }: MonitoredCall,
  { state }: AnsweredLine,
  { speaker }: CallHandoffs,
): ResumedSession {
  return {
    turns: lease.turns.all,
    elapsedMs: Math.max(sinceAnswerMs(lease, state?.answeredAt) - active.waitedSeconds * 1_000, 0),
    isOnHold: state?.transfer === 'running',
    lineBroke: lease.line.capabilities.livesInProcess,
    ...(speaker ? { speaker } : {}),
  };
}

function originOf({
  userId,
  assistantId,
  id,
  leadId,
  campaignId,
  clientPhoneNumber,
}: StoredCall): ToolOrigin {
  return {
    userId,
    assistantId,
    conversationId: null,
    callId: id,
    leadId,
    campaignId,
    customerPhone: clientPhoneNumber,
  };
}
