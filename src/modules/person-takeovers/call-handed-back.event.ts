import type { WebhookEventDefinition } from '../webhooks/webhook-events.js';
import { HandBackPayload } from './takeover.payload.js';

export const CALL_HANDED_BACK = 'call.handed-back';

export const callHandedBackEvent: WebhookEventDefinition = {
  kind: CALL_HANDED_BACK,
  payload: HandBackPayload,
  when: 'The assistant has a call again that a person had taken over: they handed it back, or their connection was lost for 10 seconds',
  published: true,
};
