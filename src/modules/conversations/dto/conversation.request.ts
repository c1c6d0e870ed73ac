import {
  EnumField,
  IdField,
  IntegerQuery,
  ObjectField,
  StringField,
  UuidField,
} from '../../../common/http/fields.js';
import { TagQuery } from '../../../common/tags/tags.js';
import type { NewConversation } from '../conversation-openings.service.js';
import {
  CONVERSATION_SORTS,
  CONVERSATION_STATES,
  type ConversationSort,
  type ConversationState,
} from '../inbox/conversation-list.repository.js';
import type { ThreadRequest } from '../inbox/inbox.repository.js';
import { MAX_MESSAGE_LENGTH } from '../message.entity.js';
import { CONVERSATION_TYPES, type ConversationType } from '../conversation.entity.js';
import { solutionOf } from '../../visitors/visitor.js';

export class CreateConversationRequest {
  @UuidField({ description: 'The uuid of the assistant' })
  declare assistant_id: string;

  @EnumField(CONVERSATION_TYPES, {
    optional: true,
    default: 'widget',
    description: 'test is free and needs your token',
  })
  declare type?: ConversationType;

  @ObjectField({
    optional: true,
    description:
      'Values for {{placeholders}} of the prompt. Without the token of the owner at most 4 kB, and what the assistant ' +
      'neither declares nor uses is left out',
    example: { name: 'Ana' },
  })
  declare variables?: Record<string, unknown>;

  @StringField({
    optional: true,
    max: 1_000,
    description: 'Where the assistant asks visitors for a challenge: its token',
    example: 'v1.2hX9kQ.c2Vh.bGVk.dGFn',
  })
  declare challenge_token?: string;

  @StringField({ optional: true, max: 64, description: 'and its solution', example: '48213' })
  declare challenge_solution?: string;
}

export function toNewConversation(body: CreateConversationRequest): NewConversation {
  return {
    assistantUuid: body.assistant_id,
    type: body.type ?? 'widget',
    variables: body.variables ?? {},
    solution: solutionOf(body.challenge_token, body.challenge_solution),
  };
}

export class SendMessageRequest {
  @StringField({
    max: MAX_MESSAGE_LENGTH,
    example: 'Olá!',
    description: 'What is said, at most 2000 characters',
  })
  declare message: string;
}

export class ListConversationsQuery {
  @StringField({
    optional: true,
    max: 32,
    description: 'widget or test. No conversation has another type, such as whatsapp or api',
    example: 'widget',
  })
  declare type?: string;

  @StringField({
    optional: true,
    max: 255,
    description: 'Exactly the variable customer_phone of the conversation',
    example: '+5511987654321',
  })
  declare customer_phone?: string;

  @StringField({
    optional: true,
    max: 255,
    description: 'Exactly the variable external_identifier of the conversation',
    example: 'crm-4711',
  })
  declare external_identifier?: string;

  @StringField({
    optional: true,
    max: 255,
    description: 'Matches no conversation: none comes from WhatsApp',
  })
  declare whatsapp_sender_phone?: string;

  @StringField({ optional: true, max: 36, description: 'Id or uuid of the assistant' })
  declare assistant_id?: string;

  @EnumField(CONVERSATION_STATES, {
    optional: true,
    description:
      'open: not ended; ai and human: open, and who answers; waiting: the customer waits for a person; ended',
  })
  declare state?: ConversationState;

  @EnumField(['true', 'false'], {
    optional: true,
    description: 'Whether there are unread messages of the customer',
  })
  declare unread?: 'true' | 'false';

  @StringField({
    optional: true,
    max: 10,
    description:
      'me: assigned to the person who asks, which an API key is not; owner: to the owner of the account; none: ' +
      'unassigned; or the id of a member',
    example: 'me',
  })
  declare assignee?: string;

  @TagQuery()
  declare tag?: string;

  @StringField({
    optional: true,
    max: 200,
    description:
      'The id of a conversation, or beginnings of words of one of its messages or of its variables',
  })
  declare q?: string;

  @EnumField(CONVERSATION_SORTS, {
    optional: true,
    default: 'created',
    description:
      'created: newest first; activity: by the last message, the latest first, without conversations that have no message of the ' +
      'customer; oldest_activity: the same, the latest last',
  })
  declare sort?: ConversationSort;

  @IntegerQuery({ min: 1, max: 100, default: 15, description: 'Rows of a page, 1 to 100' })
  declare per_page?: number;

  @StringField({ optional: true, max: 512, description: 'next_cursor or prev_cursor of an earlier answer' })
  declare cursor?: string;
}

const MAX_MESSAGE_ID = 999_999_999_999_999;

export class ThreadQuery {
  @IntegerQuery({ min: 1, max: MAX_MESSAGE_ID, description: 'Only messages before the one of this id' })
  declare before?: number;

  @IntegerQuery({ min: 1, max: MAX_MESSAGE_ID, description: 'Only messages after the one of this id' })
  declare after?: number;

  @IntegerQuery({ min: 1, max: 200, default: 50, description: 'Most rows of an answer' })
  declare limit?: number;
}

const DEFAULT_THREAD = 50;

export function threadRequestOf({ before, after, limit = DEFAULT_THREAD }: ThreadQuery): ThreadRequest {
  return { before, after, limit };
}

export class TestConversationRequest {
  @IdField({ description: 'The id of an assistant' })
  declare assistant_id: number;

  @ObjectField({
    optional: true,
    description: 'Values for {{placeholders}} of the prompt',
    example: { name: 'Ana' },
  })
  declare variables?: Record<string, unknown>;
}
