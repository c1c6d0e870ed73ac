import { OWN_WEBHOOK_KINDS, type OwnWebhookKind, type WebhookKind } from '../webhook-kinds.js';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits of Standard Webhooks: ten tries over 75 h 35 m. */
const CALL_WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** Waits before each try but the first, which is made at once. */
const WAITS_MS: Readonly<Record<OwnWebhookKind, readonly number[]>> = {
  'post-call': CALL_WAITS_MS,
  inbound: CALL_WAITS_MS,
  'conversation-ended': [30 * SECOND_MS, 60 * SECOND_MS, 120 * SECOND_MS],
  'limit-reached': CALL_WAITS_MS,
  'call.started': CALL_WAITS_MS,
  'call.status-changed': CALL_WAITS_MS,
  'call.ended': CALL_WAITS_MS,
  'conversation.message-created': CALL_WAITS_MS,
  'campaign.completed': CALL_WAITS_MS,
  'limit.reached': CALL_WAITS_MS,
  // A user who tests an endpoint looks at the answer, and tries again by hand.
  'webhook.test': [],
};

/** Spreads the tries of many events that failed together; a try never comes before its time. */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

export interface RetryRequest {
  readonly kind: WebhookKind;
  /** Tries that have failed, the last one included. */
  readonly failures: number;
  /** What the receiver asked for. */
  readonly retryAfterMs: number | null;
  /** Factor on the schedule; what the receiver asked for is not scaled. */
  readonly scale: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** Milliseconds until the next try; null when the last one was the last. */
export function nextWaitMs({ kind, failures, retryAfterMs, scale, random }: RetryRequest): number | null {
  const waitMs = waitsOf(kind)[failures - 1];
  if (waitMs === undefined) return null;
  const scheduledMs = waitMs * scale * (1 + JITTER * random);
  return Math.round(Math.max(scheduledMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}

/** Events of modules and plugins wait as those of calls do. */
function waitsOf(kind: WebhookKind): readonly number[] {
  const own = OWN_WEBHOOK_KINDS.find((known) => known === kind);
  return own ? WAITS_MS[own] : CALL_WAITS_MS;
}
