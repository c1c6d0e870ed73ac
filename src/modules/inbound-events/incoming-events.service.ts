import { Injectable } from '@nestjs/common';
import type { CallRouting } from '../../common/phone/call-routing.js';
import type { Tx } from '../../database/transactions.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { CALL_FORWARDED, type CallForwardedPayload } from './call-forwarded.event.js';
import type { StoredCall } from '../calls/call-facts.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import { CALL_INCOMING, type CallIncomingPayload } from './call-incoming.event.js';
import { CALL_QUEUED, type CallQueuedPayload } from './call-queued.event.js';

/** Tells webhook endpoints of the account that a call comes in. */
@Injectable()
export class IncomingEventsService {
  constructor(private readonly webhooks: WebhooksService) {}

  /** In the transaction that writes the call. Returns whether an endpoint wants to know. */
  async publish(call: StoredCall, phoneNumberId: number, tx: Tx): Promise<boolean> {
    const data = payloadOf(call, phoneNumberId);
    const event = { userId: call.userId, subjectId: String(call.id) };
    const isIncomingWanted = await this.webhooks.publish({ ...event, kind: CALL_INCOMING, data }, tx);
    const isForwardedWanted = await this.publishForwarded(call, tx);
    return isIncomingWanted || isForwardedWanted;
  }

  /** Says nothing of a call that is not forwarded. Returns as {@link publish} does. */
  async publishForwarded(call: StoredCall, tx: Tx): Promise<boolean> {
    const data = forwardedPayloadOf(call);
    if (!data) return false;
    return this.webhooks.publish(
      { userId: call.userId, kind: CALL_FORWARDED, subjectId: String(call.id), data },
      tx,
    );
  }

  /** @param position of the caller in the queue of the number. Returns as {@link publish} does */
  publishQueued(call: StoredCall, position: number, tx: Tx): Promise<boolean> {
    const data: CallQueuedPayload = { id: call.id, ...factsOf(call), position };
    return this.webhooks.publish(
      { userId: call.userId, kind: CALL_QUEUED, subjectId: String(call.id), data },
      tx,
    );
  }

  /** To be called after the commit of what was published. */
  wake(): void {
    this.webhooks.wake();
  }

  /** The same for a call that is not recorded. */
  publishUnrecorded(
    { callId, from, to }: InboundOffer,
    number: { readonly id: number; readonly userId: number },
    tx: Tx,
  ): Promise<boolean> {
    const call: AnnouncedCall = {
      id: null,
      type: 'inbound',
      status: 'busy',
      assistantId: null,
      assistantName: '',
      clientPhoneNumber: from,
      assistantPhoneNumber: to,
      createdAt: new Date(),
      routing: null,
    };
    return this.webhooks.publish(
      {
        userId: number.userId,
        kind: CALL_INCOMING,
        subjectId: `incoming ${callId}`,
        data: payloadOf(call, number.id),
      },
      tx,
    );
  }
}

type AnnouncedCall = Pick<
  StoredCall,
  'type' | 'status' | 'assistantName' | 'clientPhoneNumber' | 'assistantPhoneNumber' | 'createdAt'
> & {
  readonly id: number | null;
  readonly assistantId: number | null;
  readonly routing: CallRouting | null;
};

/** Null for a call that is not forwarded. */
function forwardedPayloadOf(call: StoredCall): CallForwardedPayload | null {
  const { routing } = call;
  if (routing?.forwardedTo === undefined) return null;
  return { id: call.id, ...factsOf(call), forwarded_to: routing.forwardedTo, reason: routing.reason };
}

function payloadOf(call: AnnouncedCall, phoneNumberId: number): CallIncomingPayload {
  return {
    id: call.id,
    ...factsOf(call),
    phone_number_id: phoneNumberId,
    routing: call.routing && routingOf(call.routing),
  };
}

function routingOf({ forwardedTo, ...how }: CallRouting): CallIncomingPayload['routing'] {
  return { ...how, lookup: how.lookup ?? null, forwarded_to: forwardedTo ?? null };
}

function factsOf(call: AnnouncedCall) {
  return {
    type: call.type,
    status: call.status,
    previous_status: null,
    assistant_id: call.assistantId,
    assistant_name: call.assistantName,
    campaign_id: null,
    campaign_name: null,
    lead_id: null,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    created_at: call.createdAt.toISOString(),
  };
}
