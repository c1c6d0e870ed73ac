import type { CallWebhookPayload } from '../modules/call-completion/call-webhook-payload.js';
import type { CallStatus, CallType } from '../modules/calls/call-states.js';
import type { HandBackPayload, TakeoverPayload } from '../modules/person-takeovers/takeover.payload.js';
import type { CampaignCompletedPayload } from '../modules/campaigns/campaign-completed-payload.js';
import type { LimitReachedPayload } from '../modules/alerts/limit-reached-payload.js';
import type { ModelKeyRefusedPayload } from '../modules/model-keys/model-key-refused.event.js';
import type { CallForwardedPayload } from '../modules/inbound-events/call-forwarded.event.js';
import type { CallIncomingPayload } from '../modules/inbound-events/call-incoming.event.js';
import type { CallQueuedPayload } from '../modules/inbound-events/call-queued.event.js';
import type { RentUnpaidPayload } from '../modules/phone-numbers/carrier-numbers/rent-unpaid.event.js';
import type {
  HandlerContext,
  HeardEvent,
  PluginListener,
} from '../modules/webhooks/plugin-events/plugin-listener.js';
import { PluginError } from './plugin.error.js';

/** `data` of the events of a call that is under way. */
export interface CallStateData {
  readonly id: number;
  readonly type: CallType;
  readonly status: CallStatus;
  /** Null for a new call. */
  readonly previous_status: CallStatus | null;
  /** Null once the assistant is deleted. */
  readonly assistant_id: number | null;
  readonly assistant_name: string;
  /** Null outside of campaigns, as are the next two. */
  readonly campaign_id: number | null;
  readonly campaign_name: string | null;
  readonly lead_id: number | null;
  /** E.164; null on the web, as is the next. */
  readonly customer_phone: string | null;
  readonly assistant_phone: string | null;
  /** ISO 8601. */
  readonly created_at: string;
}

/** `data` of a message of a chat. */
export interface MessageData {
  /** UUID, as is the assistant. */
  readonly conversation_id: string;
  readonly conversation_type: 'widget' | 'test';
  /** Null once the assistant is deleted. */
  readonly assistant_id: string | null;
  readonly message_id: number;
  readonly role: 'user' | 'assistant';
  /** `agent` is a person of the account. */
  readonly author: 'customer' | 'ai' | 'agent';
  readonly content: string;
  readonly function_calls: readonly Readonly<Record<string, unknown>>[];
  /** ISO 8601. */
  readonly created_at: string;
}

/** `data` of each event of the product, as webhook endpoints get it. */
export interface PluginEventData {
  readonly 'call.forwarded': CallForwardedPayload;
  readonly 'call.handed-back': HandBackPayload;
  readonly 'call.incoming': CallIncomingPayload;
  readonly 'call.queued': CallQueuedPayload;
  readonly 'call.started': CallStateData;
  readonly 'call.status-changed': CallStateData;
  readonly 'call.taken-over': TakeoverPayload;
  readonly 'call.ended': CallWebhookPayload;
  readonly 'conversation.message-created': MessageData;
  readonly 'campaign.completed': CampaignCompletedPayload;
  readonly 'limit.reached': LimitReachedPayload;
  readonly 'model-key.refused': ModelKeyRefusedPayload;
  readonly 'phone-number.rent-unpaid': RentUnpaidPayload;
}

export type PluginEventKind = keyof PluginEventData;

/** An event of the product, as the handler of a plugin gets it. */
export interface PluginEvent<Kind extends PluginEventKind> extends HeardEvent {
  readonly type: Kind;
  readonly data: PluginEventData[Kind];
}

/** Runs once for each event, and again when it throws or its process ends. */
export type PluginEventHandler<Kind extends PluginEventKind> = (
  event: PluginEvent<Kind>,
  context: HandlerContext,
) => Promise<void> | void;

/** Handlers by the kind of event. */
export type PluginEventHandlers = { readonly [Kind in PluginEventKind]?: PluginEventHandler<Kind> };

interface Listening {
  readonly name: string;
  readonly on?: PluginEventHandlers;
}

export function listenersOf(plugins: readonly Listening[]): PluginListener[] {
  return plugins.flatMap(({ name: plugin, on = {} }) =>
    Object.entries(on).map(([kind, handle]) => ({
      plugin,
      kind,
      handle: handle as PluginListener['handle'],
    })),
  );
}

/** @throws PluginError for an event that no webhook endpoint could get, and for a handler that is no function */
export function checkListeners({ name, on = {} }: Listening, known: readonly string[]): void {
  for (const [kind, handler] of Object.entries(on)) {
    if (!known.includes(kind)) {
      throw new PluginError(
        `The plugin ${name} listens to the event ${kind}, which Prosa does not have: use one of ${known.join(', ')}.`,
      );
    }
    if (typeof handler !== 'function') {
      throw new PluginError(
        `The plugin ${name} has no function for the event ${kind}: give \`on\` a function for each event.`,
      );
    }
  }
}
