import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';
import { TakeoverPayload } from './takeover.payload.js';

export const CALL_TAKEN_OVER = 'call.taken-over';

export const callTakenOverEvent: WebhookEventDefinition = {
  kind: CALL_TAKEN_OVER,
  payload: TakeoverPayload,
  when: 'A person takes over a running call: the customer talks with them, and the assistant is silent',
  published: true,
};
