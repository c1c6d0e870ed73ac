import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { CALL_STATUSES, CALL_TYPES } from '../../modules/calls/call-states.js';
import { CONVERSATION_TYPES } from '../../modules/conversations/conversation.entity.js';
import type { OwnAccountEvent, TEST_KIND, WebhookKind } from '../../modules/webhooks/webhook-kinds.js';
import { DATE_TIME, FACTS, objectOf, refTo } from './schema-parts.js';

type Kind = OwnAccountEvent | typeof TEST_KIND;
export type WebhookDocs = readonly [component: string, schema: SchemaObject, when: string];

const nullable = (schema: SchemaObject): SchemaObject => ({ ...schema, nullable: true });
const INTEGER = { type: 'integer' } as const;
const TEXT = { type: 'string' } as const;

const CALL_STATE = objectOf({
  id: { ...INTEGER, description: 'Id of the call' },
  type: { ...TEXT, enum: [...CALL_TYPES], description: 'Who called whom' },
  status: { ...TEXT, enum: [...CALL_STATUSES], description: 'The state it is in now', example: 'ringing' },
  previous_status: nullable({
    ...TEXT,
    enum: [...CALL_STATUSES, null],
    description: 'The state before; null for a new call',
    example: 'initiated',
  }),
  assistant_id: nullable({ ...INTEGER, description: 'Id of the assistant; null when it was deleted' }),
  assistant_name: { ...TEXT, description: 'Its name', example: 'Loja' },
  campaign_id: nullable({ ...INTEGER, description: 'Id of the campaign; null outside of campaigns' }),
  campaign_name: nullable({ ...TEXT, description: 'Its name', example: 'Renovações' }),
  lead_id: nullable({ ...INTEGER, description: 'Id of the lead that is called; null outside of campaigns' }),
  customer_phone: nullable({ ...TEXT, description: 'E.164; null on the web', example: '+5511912345678' }),
  assistant_phone: nullable({ ...TEXT, description: 'E.164; null on the web', example: '+551130000000' }),
  created_at: { ...DATE_TIME, description: 'When the call was made' },
});

const MESSAGE = objectOf({
  conversation_id: { ...TEXT, format: 'uuid', description: 'UUID of the conversation' },
  conversation_type: { ...TEXT, enum: [...CONVERSATION_TYPES], description: 'Test conversations are free' },
  assistant_id: nullable({
    ...TEXT,
    format: 'uuid',
    description: 'UUID of the assistant; null when it was deleted',
  }),
  message_id: { ...INTEGER, description: 'Id of the message; later ones are higher' },
  role: { ...TEXT, enum: ['user', 'assistant'], description: 'Whose side it is' },
  author: { ...TEXT, enum: ['customer', 'ai', 'agent'], description: '`agent`: a person of the account' },
  content: { ...TEXT, description: 'The text', example: 'Qual o horário?' },
  function_calls: {
    type: 'array',
    description: 'What the AI has called for this answer',
    items: FACTS,
    example: [],
  },
  created_at: { ...DATE_TIME, description: 'When it was written' },
});

const CAMPAIGN = objectOf({
  id: { ...INTEGER, description: 'Id of the campaign' },
  name: { ...TEXT, description: 'Its name', example: 'Renovações' },
  status: { ...TEXT, enum: ['completed'], description: 'Always `completed`' },
  assistant_id: nullable({ ...INTEGER, description: 'Id of its assistant; null when it was deleted' }),
  created_at: { ...DATE_TIME, description: 'When the campaign was made' },
  completed_at: { ...DATE_TIME, description: 'When the last contact was done' },
});

const TEST = objectOf({
  webhook_endpoint_id: { ...INTEGER, description: 'Id of the webhook endpoint that is tried out' },
});

/** What a webhook endpoint of an account is sent. */
export function envelope(kind: WebhookKind, data: SchemaObject | ReferenceObject): SchemaObject {
  return objectOf({
    type: { ...TEXT, enum: [kind], description: `Always \`${kind}\`` },
    timestamp: { ...DATE_TIME, description: 'When it happened' },
    data,
  });
}

const described = (schema: SchemaObject, description: string): SchemaObject => ({ ...schema, description });

/** The events of an account, as its webhook endpoints get them. */
export const ACCOUNT_EVENT_DOCS: Readonly<Record<Kind, WebhookDocs>> = {
  'call.started': [
    'CallStartedEvent',
    envelope('call.started', described(CALL_STATE, 'The call that was answered')),
    'When a call is answered and the talk begins, to webhook endpoints of the account',
  ],
  'call.status-changed': [
    'CallStatusChangedEvent',
    envelope('call.status-changed', described(CALL_STATE, 'The call in its new state')),
    'When a call is made, and whenever its status changes, to webhook endpoints of the account',
  ],
  'call.ended': [
    'CallEndedEvent',
    envelope('call.ended', refTo('CallWebhookPayload')),
    'A call reached its final status, after its evaluation or unanswered. Sent to webhook endpoints of the account',
  ],
  'conversation.message-created': [
    'MessageCreatedEvent',
    envelope('conversation.message-created', described(MESSAGE, 'The message')),
    'When a message of a customer, the AI or a person is stored in a chat, to webhook endpoints of the account',
  ],
  'campaign.completed': [
    'CampaignCompletedEvent',
    envelope('campaign.completed', described(CAMPAIGN, 'The campaign')),
    'A campaign has no contacts left to call. Sent to webhook endpoints of the account',
  ],
  'limit.reached': [
    'LimitReachedEvent',
    envelope('limit.reached', refTo('LimitReachedPayload')),
    'When a limit refuses a visitor, once a day for each limit, to webhook endpoints of the account',
  ],
  'webhook.test': [
    'WebhookTestEvent',
    envelope('webhook.test', described(TEST, 'Nothing has happened')),
    'When a webhook endpoint is tried out; in one try',
  ],
};
