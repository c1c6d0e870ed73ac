import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../common/errors/domain-error.js';
import type { Tx } from '../../database/transactions.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { CalleeAdmissionService } from './callee-admission.service.js';
import { CallRoutesService } from './call-routes.service.js';
import type { Callee, CallOrder, RoutedCallee } from './call-order.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantNotFoundError } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { BillingService } from '../billing/billing.service.js';
import { CallCapacityService, type Room } from '../active-calls/capacity/call-capacity.service.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import {
  CallBeingPlacedError,
  type CalleeRefusal,
  CarrierUnavailableError,
  ParallelCallsLimitError,
} from '../calls/calls.errors.js';
import type { OpenBreaker } from '../active-calls/carrier-breaker/open-breaker.js';
import { secondsUntilRetry } from '../active-calls/carrier-breaker/open-breaker.js';
import { CallsService } from '../calls/calls.service.js';

export type OutboundCall = CallOrder & Callee;

/** What became of calls that were asked for together. */
export interface Reservations {
  /** By attempt, as they were written; those that are neither here, nor refused, nor on the phone found no room. */
  readonly calls: ReadonlyMap<string, RunningCall>;
  /** By attempt: these numbers may not be called at all, or not now. */
  readonly refused: ReadonlyMap<string, CalleeRefusal>;
  /** The attempts of campaigns at numbers that the account has another call with at this moment. */
  readonly onThePhone: ReadonlySet<string>;
  /** Why there was no room for all. */
  readonly shortage: DomainError | null;
}

/** Reserves outbound calls in the transaction of the module that wants them; they are sent after its commit. */
@Injectable()
export class OutboundCallsService {
  constructor(
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly capacity: CallCapacityService,
    private readonly assistants: AssistantsService,
    private readonly billing: BillingService,
    private readonly breaker: CarrierBreakerService,
    private readonly admission: CalleeAdmissionService,
    private readonly routes: CallRoutesService,
  ) {}

  /**
   * Writes the call, with its money and its line set aside, in the caller's transaction. No number is dialled yet.
   *
   * @throws AssistantNotFoundError | DestinationRefusedError | DoNotCallError | OutsideCallingHoursError | ParallelCallsLimitError
   * @throws CallBeingPlacedError for a campaign, when the number is on the phone already
   * @throws InsufficientBalanceError | DailySpendCapError when the longest possible call cannot be paid
   */
  async reserve(tx: Tx, call: OutboundCall): Promise<{ callId: number }> {
    const { calls, refused, onThePhone, shortage } = await this.reserveAll(tx, call, [call]);
    const reserved = calls.get(call.attemptId);
    if (reserved) return { callId: reserved.call.id };
    if (onThePhone.size > 0) throw new CallBeingPlacedError();
    throw refused.get(call.attemptId) ?? shortage ?? new Error('a call neither reserved nor refused');
  }

  /**
   * The same for several calls of one assistant: in their order, as many as there are lines and money for. A campaign does not
   * call a number that another call of the account rings or talks to, also one of the API: one person has one telephone.
   *
   * @throws AssistantNotFoundError
   */
  async reserveAll(tx: Tx, order: CallOrder, callees: readonly Callee[]): Promise<Reservations> {
    const { userId } = order;
    const assistant = await this.assistants.find(userId, order.assistantId, tx);
    if (!assistant) throw new AssistantNotFoundError();
    const routed = await this.routes.find(order, callees, tx);
    const refused = await this.admission.refusedAmong(userId, routed, tx);
    const allowed = routed.filter(({ attemptId }) => !refused.has(attemptId));
    const none = { calls: new Map<string, RunningCall>(), refused, onThePhone: new Set<string>() };
    if (allowed.length === 0) return { ...none, shortage: null };
    // A carrier that is away takes no calls, while those of others are made.
    const away = this.breaker.knownOpen(allowed.map(({ carrier }) => carrier.name));
    const reachable = allowed.filter(({ carrier }) => !away.has(carrier.name));
    const [first] = away.values();
    if (reachable.length === 0 && first) return { ...none, shortage: unavailable(first) };
    const carried = await this.routes.carriedNow(order, reachable, tx);
    const unheard = carried.length < reachable.length ? new ParallelCallsLimitError('platform', 0) : null;
    if (carried.length === 0) return { ...none, shortage: unheard };
    const { admitted, shortage: ofTrunk } = await this.capacity.admit(userId, carried, tx);
    if (admitted.length === 0) return { ...none, shortage: ofTrunk };
    const lineIsFree = admitted.every(({ carrier }) => carrier.isPaidByAccount);
    const terms = { lineIsFree, among: order.campaign && admitted.map(({ to }) => to) };
    const room = await this.capacity.roomFor(userId, assistant, admitted.length, tx, terms);
    if (room.lines.length === 0) return { ...none, shortage: room.shortage };
    const free = freeOf(admitted, room.customers);
    const onThePhone = new Set(
      admitted.filter((one) => !free.includes(one)).map(({ attemptId }) => attemptId),
    );
    const shortage = (free.length > room.lines.length ? room.shortage : null) ?? unheard ?? ofTrunk;
    const placed = free.slice(0, room.lines.length);
    if (placed.length === 0) return { ...none, onThePhone, shortage };
    const written = await this.write(order, assistant, placed, room, tx);
    const calls = new Map(written.map((running) => [String(running.call.attemptId), running]));
    return { calls, refused, onThePhone, shortage };
  }

  /** Takes back an `undelivered` call, with its money and its line, as if it had never been; false when it has ended. */
  async withdraw(callId: number, tx: Tx): Promise<boolean> {
    const withdrawn = await this.activeCalls.withdraw(callId, tx);
    if (!withdrawn) return false;
    await this.calls.deleteUnmade(callId, tx);
    if (withdrawn.holdId !== null) await this.billing.void(withdrawn.holdId, tx);
    return true;
  }

  private async write(
    { userId, campaign }: CallOrder,
    assistant: AssistantDetails,
    callees: readonly RoutedCallee[],
    room: Room,
    tx: Tx,
  ): Promise<RunningCall[]> {
    const calls = callees.map(({ attemptId, leadId, carrier, from, to, variables }) => ({
      type: 'outbound' as const,
      assistantId: assistant.id,
      assistantName: assistant.name,
      campaignId: campaign?.id ?? null,
      campaignName: campaign?.name ?? null,
      leadId,
      attemptId,
      carrier: carrier.name,
      assistantPhoneNumber: from,
      clientPhoneNumber: to,
      inputVariables: { ...variables },
      variables: { ...variables },
      recordingEnabled: assistant.config.record,
    }));
    const written = await this.calls.openAll(userId, calls, tx);
    const routes = new Map(callees.map((callee) => [callee.attemptId, callee]));
    const begun = written.flatMap(({ id: callId, attemptId }) => {
      const route = routes.get(attemptId ?? '');
      if (!route) return [];
      const { carrier, phoneNumberId } = route;
      return [{ callId, carrier: carrier.name, phoneNumberId, lineIsFree: carrier.isPaidByAccount }];
    });
    const active = await this.capacity.occupy(userId, assistant, room, begun, tx);
    const byCall = new Map(active.map((one) => [one.callId, one]));
    return written.flatMap((call) => {
      const its = byCall.get(call.id);
      return its ? [{ call, active: its }] : [];
    });
  }
}

function unavailable(breaker: OpenBreaker): CarrierUnavailableError {
  return new CarrierUnavailableError(secondsUntilRetry(breaker));
}

/** Those whose numbers none of the customers has; of several with one number the first. */
function freeOf(
  callees: readonly RoutedCallee[],
  customers: readonly string[] | null,
): readonly RoutedCallee[] {
  if (customers === null) return callees;
  const taken = new Set(customers);
  return callees.filter(({ to }) => {
    const isFree = !taken.has(to);
    taken.add(to);
    return isFree;
  });
}
