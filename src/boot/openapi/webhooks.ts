import type { OpenAPIObject, OperationObject, ParameterObject } from '@nestjs/swagger';
import { addedWebhookEvents } from '../../modules/webhooks/webhook-events.js';
import {
  OWN_WEBHOOK_KINDS,
  type OwnWebhookKind,
  type WebhookKind,
} from '../../modules/webhooks/webhook-kinds.js';
import { ACCOUNT_EVENT_DOCS, envelope, type WebhookDocs } from './account-events.js';
import { addExample } from './examples.js';
import { pascalCase } from './pascal-case.js';
import { DATE_TIME, FACTS, objectOf, refTo } from './schema-parts.js';

const EMPTY = { type: 'array', items: { type: 'object' }, maxItems: 0 } as const;

const CALL = objectOf(
  {
    id: { type: 'integer', description: 'Id of the call' },
    customer_phone: { type: 'string', nullable: true, description: 'E.164; null on the web' },
    assistant_phone: { type: 'string', nullable: true, description: 'E.164; null on the web' },
    duration: { type: 'integer', description: 'Seconds', example: 42 },
    status: { type: 'string', description: 'State of the call', example: 'completed' },
    extracted_variables: {
      ...FACTS,
      description: 'The evaluation: `status`, `summary` and the fields of the post-call schema',
      example: { status: true, summary: 'Ana renovou a assinatura.', vendeu: true },
    },
    input_variables: { ...FACTS, description: 'Variables the call began with', example: { nome: 'Ana' } },
    transcript: {
      type: 'string',
      description: 'What was said, line by line',
      example: 'AI: Olá! Customer: Oi, quero renovar meu contrato.',
    },
    recording_url: {
      type: 'string',
      nullable: true,
      description: 'Only with `include_recording_in_webhook`; null where nothing was recorded',
      example:
        'https://prosa.example/api/recordings/7?expires=1769968800&signature=3yXb0m1s0hT0bq4pX4l9mZc8p2Q7d1k6w5v4u3t2s1A',
    },
    created_at: { ...DATE_TIME, description: 'When the call was made' },
    finished_at: { ...DATE_TIME, description: 'When the work after the call was done' },
    lead: {
      ...FACTS,
      nullable: true,
      description: 'The lead that was called; null outside of campaigns',
      example: { id: 1, phone_number: '+5511912345678', variables: { nome: 'Ana' }, status: 'completed' },
    },
    campaign: {
      ...FACTS,
      nullable: true,
      description: 'Its campaign; null outside of campaigns',
      example: { id: 1, name: 'Renovações', status: 'in-progress' },
    },
  },
  ['recording_url'],
);

const CONVERSATION_ENDED = objectOf({
  id: { type: 'integer', description: 'Number of the conversation' },
  conversation_id: { type: 'string', format: 'uuid', description: 'UUID of the conversation' },
  assistant_id: { type: 'string', format: 'uuid', description: 'UUID of the assistant' },
  type: { type: 'string', description: '`widget` or `test`', example: 'widget' },
  message_count: { type: 'integer', description: 'Messages in the conversation' },
  status: { type: 'string', enum: ['ended'], description: 'Always `ended`' },
  extracted_variables: {
    ...FACTS,
    description:
      'The evaluation: `status`, `summary` and the fields of the post-call schema; empty for tests, without a message of the ' +
      'customer, and with `post_call_evaluation: false`',
    example: { status: true, summary: 'Ana reservou uma mesa.', pessoas: 4 },
  },
  input_variables: {
    ...FACTS,
    description: 'Variables the conversation was opened with',
    example: { nome: 'Ana' },
  },
  transcript: {
    type: 'array',
    description: 'Messages, oldest first',
    items: objectOf({
      role: { type: 'string', enum: ['user', 'assistant'], description: 'Who wrote' },
      content: { type: 'string', description: 'The text', example: 'Olá! Como posso ajudar?' },
      timestamp: { ...DATE_TIME, description: 'In the time zone of the assistant' },
      timestamp_unix: { type: 'integer', description: 'Seconds since 1970', example: 1_773_489_600 },
    }),
  },
  formatted_transcript: {
    type: 'string',
    description: 'The messages as lines of text',
    example: 'AI: Olá! Como posso ajudar?\nCustomer: Qual o horário?',
  },
  attachments: { ...EMPTY, description: 'Always empty', example: [] },
  customer_phone: { type: 'string', nullable: true, description: 'Always null: chats have no number' },
  customer_name: { type: 'string', nullable: true, description: 'Always null' },
  sender: { type: 'string', nullable: true, description: 'Always null' },
  created_at: { ...DATE_TIME, description: 'In the time zone of the assistant' },
  ended_at: { ...DATE_TIME, description: 'In the time zone of the assistant' },
});

const LIMIT_REACHED = objectOf({
  event: { type: 'string', enum: ['limit.reached'], description: 'Always `limit.reached`' },
  id: { type: 'integer', description: 'Id of the alert' },
  limit: { type: 'string', description: 'Which limit it is', example: 'messages_per_hour' },
  value: { type: 'number', description: 'The limit: a number of things, or US dollars', example: 500 },
  assistant_id: { type: 'string', format: 'uuid', description: 'UUID of the assistant where it was reached' },
  assistant_name: { type: 'string', description: 'Its name', example: 'Recepção' },
  scope: {
    type: 'string',
    enum: ['assistant', 'account'],
    description: 'Whether the limit is that of the assistant, or one for all of the account',
  },
  reached_at: { ...DATE_TIME, description: 'When it refused a visitor' },
  resets_at: { ...DATE_TIME, description: 'When it accepts visitors again' },
});

const EVENTS: Readonly<Record<OwnWebhookKind, WebhookDocs>> = {
  ...ACCOUNT_EVENT_DOCS,
  'post-call': [
    'CallWebhookPayload',
    CALL,
    'After a call, to `webhook_url`; by default only after completed calls',
  ],
  inbound: [
    'CallWebhookPayload',
    CALL,
    'After a completed inbound call, to the inbound webhook of the assistant',
  ],
  'conversation-ended': [
    'ConversationEndedPayload',
    CONVERSATION_ENDED,
    'When a chat has ended and is evaluated, to `conversation_ended_webhook_url`: by inactivity, by a person, or by the assistant',
  ],
  'limit-reached': [
    'LimitReachedPayload',
    LIMIT_REACHED,
    'When a limit refuses a visitor, once a day for each limit, to `webhook_url`',
  ],
};

/** Apart from the operations on webhook endpoints: generators write one file for each tag. */
const WEBHOOK_EVENTS = {
  name: 'Webhook events',
  description: 'What Prosa sends to the servers of an account',
};

/** Events of an account end in `Event`: `limit-reached` of an assistant is not `limit.reached`. */
function operationIdOf(kind: WebhookKind): string {
  return `receive${pascalCase(kind)}${kind.includes('.') ? 'Event' : ''}`;
}

const HEADERS: ParameterObject[] = [
  header('webhook-id', 'The same for every try of one event: use it to drop repetitions'),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, one for each secret that is valid, after Standard Webhooks',
  ),
];

/** What becomes of an event whose receiver does not answer with 2xx; retry-schedule.ts has the waits. */
const AFTER_FAILURE: Partial<Record<WebhookKind, string>> = {
  'conversation-ended': 'after anything else there are three more tries within five minutes',
  'webhook.test': 'there is no second try',
};
const USUAL_AFTER_FAILURE = 'anything else is tried again for about three days';

/** Documents what Prosa sends to its customers' servers, as OpenAPI 3.1 has a place for. */
export function addWebhooks(document: OpenAPIObject): void {
  document.components ??= {};
  document.components.schemas ??= {};
  document.webhooks = {};
  document.tags = [...(document.tags ?? []), WEBHOOK_EVENTS];
  const events: (readonly [kind: WebhookKind, component: string, when: string])[] = [];
  for (const kind of OWN_WEBHOOK_KINDS) {
    const [component, schema, when] = EVENTS[kind];
    document.components.schemas[component] = schema;
    events.push([kind, component, when]);
  }
  for (const { kind, payload, when, published } of addedWebhookEvents) {
    if (published !== true) {
      events.push([kind, payload.name, when]);
      continue;
    }
    const component = `${payload.name}Event`;
    document.components.schemas[component] = envelope(kind, refTo(payload.name));
    events.push([kind, component, `${when}, to webhook endpoints of the account`]);
  }
  for (const [kind, component, when] of events) {
    const post = operationOf(kind, component, when);
    if (post.requestBody && 'content' in post.requestBody) addExample(post.requestBody, document);
    document.webhooks[kind] = { post };
  }
}

function operationOf(kind: WebhookKind, component: string, when: string): OperationObject {
  return {
    operationId: operationIdOf(kind),
    tags: [WEBHOOK_EVENTS.name],
    security: [],
    summary: when,
    description: `Delivered at least once: any status of 2xx ends it, ${AFTER_FAILURE[kind] ?? USUAL_AFTER_FAILURE}.`,
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: refTo(component) } },
    },
    responses: { '2XX': { description: `The event ${kind} was received` } },
  };
}

function header(name: string, description: string): ParameterObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
