import { Injectable } from '@nestjs/common';
import type { CallRouting, RoutingReason } from '../../common/phone/call-routing.js';
import { MetricsService } from '../../common/observability/metrics.service.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { CallEndEventsService } from '../call-completion/call-end-events.service.js';
import type { StoredCall } from '../calls/call-facts.js';
import { movesBetween } from '../calls/call-states.js';
import { CallsService } from '../calls/calls.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { IncomingEventsService } from '../inbound-events/incoming-events.service.js';
import { InboundLookupsService, type LookedUpCaller } from './inbound-lookups.service.js';
import type { CalledNumber } from './inbound-routes.service.js';

/** How a caller was turned away. */
interface TurnedAway {
  readonly reason: RoutingReason | null;
  /** Null for a number without a routing. */
  readonly routing: CallRouting | null;
  /** Null where the caller was not looked up. */
  readonly caller: LookedUpCaller | null;
}

/** Records calls whose callers heard busy. Nothing is charged for them. */
@Injectable()
export class TurnedAwayCallsService {
  private readonly count: (labels: Record<string, string>) => void;

  constructor(
    private readonly calls: CallsService,
    private readonly lookups: InboundLookupsService,
    private readonly events: IncomingEventsService,
    private readonly endEvents: CallEndEventsService,
    private readonly webhooks: WebhooksService,
    private readonly transactions: Transactions,
    metrics: MetricsService,
  ) {
    this.count = metrics.counter({
      name: 'prosa_callers_turned_away_total',
      help: 'Callers of numbers of accounts who heard busy, by reason',
      labelNames: ['reason'],
    });
  }

  /**
   * To be called by the process that has turned the call away. The call of a number without a routing is announced, and not
   * recorded.
   */
  async record(
    carrier: CallCarrier,
    offer: InboundOffer,
    number: CalledNumber,
    { reason, routing, caller }: TurnedAway,
  ): Promise<void> {
    this.count({ reason: reason ?? 'none' });
    if (!routing) {
      const isWanted = await this.transactions.run((tx) => this.events.publishUnrecorded(offer, number, tx));
      if (isWanted) this.webhooks.wake();
      return;
    }
    const { call, isAnnounced } = await this.transactions.run((tx) =>
      this.write(carrier.name, offer, number, routing, caller, tx),
    );
    await this.endEvents.callEnded(call, isAnnounced);
  }

  private async write(
    carrier: string,
    offer: InboundOffer,
    { id: phoneNumberId, userId }: CalledNumber,
    routing: CallRouting,
    caller: LookedUpCaller | null,
    tx: Tx,
  ): Promise<{ readonly call: StoredCall; readonly isAnnounced: boolean }> {
    const call = await this.calls.open(
      userId,
      {
        type: 'inbound',
        assistantName: '',
        carrier,
        assistantPhoneNumber: offer.to,
        clientPhoneNumber: offer.from,
        routing,
        ...(caller && { id: caller.callId, inputVariables: caller.variables }),
      },
      tx,
    );
    if (caller) await this.lookups.noteTurnedAway(offer, phoneNumberId, call.id, tx);
    for (const move of movesBetween('initiated', 'busy'))
      await this.calls.move(userId, call.id, move, {}, tx);
    const busy = Object.assign(call, { assistantId: null, campaignName: null, status: 'busy' as const });
    const isIncomingWanted = await this.events.publish(busy, phoneNumberId, tx);
    const isEndWanted = await this.webhooks.isWanted(userId, 'call.ended', tx);
    const isEndAnnounced = await this.endEvents.announce(busy, { isEndWanted }, tx);
    return { call: busy, isAnnounced: isIncomingWanted || isEndAnnounced };
  }
}
