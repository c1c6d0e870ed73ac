import { Injectable } from '@nestjs/common';
import type { CallRouting, RoutingReason } from '../../common/phone/call-routing.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { Logger } from '../../common/observability/logger.js';
import { isUniqueViolation } from '../../database/database.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { CallCapacityService } from '../active-calls/capacity/call-capacity.service.js';
import { type CallLease, LEASE_MS } from '../active-calls/leases/call-lease.js';
import type { RuntimeAssistant } from '../assistants/assistants.service.js';
import { CallRunnerService } from '../call-sessions/call-runner.service.js';
import { ParallelCallsLimitError } from '../calls/calls.errors.js';
import type { StoredCall } from '../calls/call-facts.js';
import { type CallDetails, CallsService } from '../calls/calls.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { InboundLookupsService, type LookedUpCaller } from './inbound-lookups.service.js';
import type { CalledNumber } from './inbound-routes.service.js';
import { IncomingEventsService } from '../inbound-events/incoming-events.service.js';

/** How a call is routed. */
export interface CallerRoute {
  /** Null for a number without a routing. */
  readonly routing: CallRouting | null;
  /** Null where the caller was not looked up. */
  readonly caller: LookedUpCaller | null;
}

/** Who answers a call, and how it came to that. */
export interface InboundRoute extends CallerRoute {
  readonly assistant: RuntimeAssistant;
  readonly phoneNumberId: number;
}

/** The call cannot be answered by this assistant now. */
export interface Refusal {
  readonly refused: RoutingReason;
}

/** The lease of a call that was written, or why it was not. */
export type Admission = CallLease | 'taken' | Refusal;

/** Begins a call that this process has written; another process that was quicker has begun its own. */
export async function beginAdmitted(
  admission: Admission,
  begin: (lease: CallLease) => void | Promise<void>,
): Promise<'answered' | Refusal> {
  if (admission === 'taken') return 'answered';
  if ('refused' in admission) return admission;
  await begin(admission);
  return 'answered';
}

interface NewInboundCall {
  readonly userId: number;
  readonly phoneNumberId: number;
  readonly caller: LookedUpCaller | null;
  readonly details: Pick<CallDetails, 'assistantName'> &
    Partial<Pick<CallDetails, 'assistantId' | 'recordingEnabled' | 'routing'>>;
}

type BegunInboundCall = Omit<Parameters<CallCapacityService['take']>[1], 'lineIsFree'> & {
  readonly lineIsFree: boolean;
  readonly phoneNumberId: number;
};

type TakeCall = (call: StoredCall, begun: BegunInboundCall, tx: Tx) => Promise<void>;

/** Writes incoming calls, with their line and their money set aside. */
@Injectable()
export class InboundAdmissionService {
  constructor(
    private readonly calls: CallsService,
    private readonly capacity: CallCapacityService,
    private readonly runner: CallRunnerService,
    private readonly processes: VoiceProcessesService,
    private readonly lookups: InboundLookupsService,
    private readonly events: IncomingEventsService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Whether this process can have the line of a call. */
  canCarry({ capabilities, placesHere }: CallCarrier): boolean {
    return !capabilities.livesInProcess || (placesHere && this.runner.takesOwnLines);
  }

  /** Whether a call that this process has no room for goes to another one that has. */
  async passesOn(carrier: CallCarrier): Promise<boolean> {
    return carrier.passesOn && (await this.processes.countPlaces(carrier.name)) > 0;
  }

  /** Whether this process can have the line of a call without an assistant. */
  canSpeakOn({ capabilities, placesHere }: CallCarrier): boolean {
    return !capabilities.livesInProcess || (placesHere && this.runner.takesFallbackLines);
  }

  /** The same for a message or a forward, which some carriers do by themselves. */
  canDoWithoutAssistant(carrier: CallCarrier): boolean {
    return carrier.announce !== undefined || this.canSpeakOn(carrier);
  }

  /** Each process receives each call. The process that writes it answers it. */
  admit(
    carrier: CallCarrier,
    offer: InboundOffer,
    { assistant, phoneNumberId, routing, caller }: InboundRoute,
  ): Promise<Admission> {
    const { id: assistantId, name: assistantName, userId, config } = assistant;
    const details = { assistantId, assistantName, recordingEnabled: config.record, routing };
    return this.write(carrier, offer, { userId, phoneNumberId, caller, details }, (call, begun, tx) =>
      this.capacity.take({ call, assistant }, begun, tx, { lineIsFree: begun.lineIsFree }),
    );
  }

  /** The same for a call without an assistant, which takes no line of the plan. @param take sets its money aside */
  admitUnassisted(
    carrier: CallCarrier,
    offer: InboundOffer,
    { id: phoneNumberId, userId }: CalledNumber,
    { routing, caller }: CallerRoute,
    take: TakeCall,
  ): Promise<Admission> {
    const details = { assistantName: '', routing };
    return this.write(carrier, offer, { userId, phoneNumberId, caller, details }, take);
  }

  private async write(
    { name: carrier, isPaidByAccount: lineIsFree, media }: CallCarrier,
    offer: InboundOffer,
    { userId, phoneNumberId, caller, details }: NewInboundCall,
    take: TakeCall,
  ): Promise<Admission> {
    try {
      return await this.transactions.run(async (tx) => {
        const call = await this.calls.open(
          userId,
          {
            type: 'inbound',
            carrier,
            assistantPhoneNumber: offer.to,
            clientPhoneNumber: offer.from,
            ...details,
            ...(caller && { id: caller.callId, inputVariables: caller.variables }),
          },
          tx,
        );
        const lease = this.runner.createLease(call.id, carrier, details.assistantId === undefined);
        const begun = {
          stage: 'open',
          carrier,
          phoneNumberId,
          carrierCallId: offer.callId,
          voiceProcessId: 'audio' in media ? (this.processes.own?.id ?? null) : null,
          leaseToken: lease.token,
          leaseUntil: new Date(Date.now() + LEASE_MS),
          lineIsFree,
        } as const;
        await this.events.publish(call, phoneNumberId, tx);
        await take(call, begun, tx);
        if (caller) await this.lookups.noteCall(offer, phoneNumberId, caller, tx);
        return lease;
      });
    } catch (error) {
      if (isUniqueViolation(error, 'active_calls_carrier_call_id_key')) return 'taken';
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn('inbound call turned away', { phoneNumberId, err: error });
      return { refused: reasonOf(error) };
    }
  }
}

/** A call is refused for its line or for its money. */
function reasonOf(error: DomainError): RoutingReason {
  // A database that does not answer in time says nothing about the account's money.
  if (error.kind === 'unavailable') return 'platform_full';
  if (!(error instanceof ParallelCallsLimitError)) return 'balance';
  return (
    { plan: 'account_full', platform: 'platform_full', trunk: 'trunk_full', queue: 'queue_full' } as const
  )[error.scope];
}
