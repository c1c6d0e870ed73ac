import { Injectable } from '@nestjs/common';
import type { CallLookup } from '../../common/phone/call-routing.js';
import type { Tx } from '../../database/transactions.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { CallCapacityService } from '../active-calls/capacity/call-capacity.service.js';
import type { CallerContext } from '../active-calls/running-call.js';
import { profileFrom } from '../caller-lookups/caller-profile.js';
import { CallsService } from '../calls/calls.service.js';
import { decisionOf, type LookupDecision } from '../inbound-routing/lookups/lookup-decision.js';
import { NumberLookupsService } from '../inbound-routing/lookups/number-lookups.service.js';
import type { CalledNumber } from './inbound-routes.service.js';

/** What a lookup has said of the caller of a call that rings. */
export interface LookedUpCaller {
  /** The call gets this id when it is written: the owner's server knows it by that. */
  readonly callId: number;
  readonly lookup: CallLookup;
  /** Null: the hours of the number decide. */
  readonly decision: LookupDecision | null;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: CallerContext;
}

/** Looks up who calls, while the call rings. */
@Injectable()
export class InboundLookupsService {
  constructor(
    private readonly lookups: NumberLookupsService,
    private readonly calls: CallsService,
    private readonly activeCalls: ActiveCallsService,
    private readonly capacity: CallCapacityService,
  ) {}

  /**
   * Waits for the owner's server, so call it outside of transactions.
   *
   * @returns null where no one is asked; `taken` where another process asks about this call
   */
  async lookUp(
    carrier: CallCarrier,
    { callId: offerId, from, to, sipHeaders = {} }: InboundOffer,
    { id, userId, routing }: CalledNumber,
  ): Promise<LookedUpCaller | 'taken' | null> {
    if (!routing || routing.lookupUrl === null) return null;
    if (await this.capacity.hasNoMoneyForLine(userId, { lineIsFree: carrier.isPaidByAccount })) return null;
    const callId = await this.calls.reserveId();
    const number = { id, userId, phoneNumber: to, routing };
    const call = { offerId, customerPhone: from, at: new Date(), callId, sipHeaders };
    const asked = await this.lookups.ask(number, call);
    if (asked === null || asked === 'taken') return asked;
    const { status, ms, error, answer } = asked;
    const { variables, initialMessage, lookupVariables } = profileFrom(asked, {});
    return {
      callId,
      lookup: { status, ms, error },
      decision: decisionOf(answer),
      variables,
      context: { initialMessage, lookupVariables },
    };
  }

  /** Notes that the call has been written, and with which words it begins. */
  async noteCall(
    offer: InboundOffer,
    phoneNumberId: number,
    { callId, context }: LookedUpCaller,
    tx: Tx,
  ): Promise<void> {
    await this.noteTurnedAway(offer, phoneNumberId, callId, tx);
    if (context.initialMessage === null && context.lookupVariables === null) return;
    await this.activeCalls.setCallerContext(callId, context, tx);
  }

  /** Notes that a call has been written whose caller is turned away. */
  noteTurnedAway(
    { callId: offerId }: InboundOffer,
    phoneNumberId: number,
    callId: number,
    tx: Tx,
  ): Promise<void> {
    return this.lookups.setCall({ phoneNumberId, offerId }, callId, tx);
  }
}
