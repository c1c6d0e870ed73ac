import { EnumField, IntegerQuery, ObjectField, StringField, UuidField } from '../../../common/http/fields.js';
import { CONVERSATION_TYPES, type ConversationType } from '../conversation.entity.js';

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
    description: 'Values for {{placeholders}} of the prompt',
    example: { name: 'Ana' },
  })
  declare variables?: Record<string, unknown>;
}

export class SendMessageRequest {
  @StringField({ max: 2000, example: 'Olá!' })
  declare message: string;
}

export class ListConversationsQuery {
  @EnumField(CONVERSATION_TYPES, { optional: true })
  declare type?: ConversationType;

  @StringField({ optional: true, max: 36, description: 'Id or uuid of the assistant' })
  declare assistant_id?: string;

  @IntegerQuery({ min: 1, max: 100, default: 15 })
  declare per_page?: number;

  @StringField({ optional: true, max: 512, description: 'next_cursor or prev_cursor of an earlier answer' })
  declare cursor?: string;
}
