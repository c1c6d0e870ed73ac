import { ApiProperty } from '@nestjs/swagger';
import {
  FreeObject,
  NullableEnum,
  NullableMoment,
  NullableOf,
  NullableText,
} from '../../../common/http/response-fields.js';
import { TokensResponse, toTokensResponse } from '../../../common/figures/tokens.response.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import { dollarsOf } from '../../billing/money.js';
import type { ConversationRow, ConversationSort } from '../inbox/conversation-list.repository.js';
import type { ConversationSlice } from '../inbox/inbox.service.js';
import { AssigneeResponse, toAssigneeResponse } from './assignee.js';
import { encodeCursor } from './cursor.js';
import { variablesOrNull } from './conversation.response.js';

export class ConversationItemResponse {
  @ApiProperty({ format: 'uuid', description: 'Identifier' })
  declare id: string;

  @NullableText({ format: 'uuid', description: 'Id of the assistant' })
  declare assistant_id: string | null;

  @NullableText({ description: 'Name of the assistant', example: 'Recepção' })
  declare assistant_name: string | null;

  @ApiProperty({ enum: ['widget', 'test'], description: 'Kind' })
  declare type: string;

  @FreeObject({ nullable: true, description: 'Values for {{name}} in the texts of the assistant' })
  declare variables: Record<string, unknown> | null;

  @FreeObject({
    example: { status: true, summary: 'Ana reservou uma mesa.', pessoas: 4 },
    description:
      'The evaluation at its end: `status`, `summary` and the fields of the post-call schema. Empty before, and for ' +
      'conversations that are not evaluated',
  })
  declare extracted_variables: Evaluation;

  @ApiProperty({ type: 'integer', description: 'Messages in the conversation' })
  declare message_count: number;

  @ApiProperty({ description: 'US dollars' })
  declare total_cost: number;

  @NullableOf(
    TokensResponse,
    'Tokens of language models, as providers counted them; null where no model reported any',
  )
  declare tokens: TokensResponse | null;

  @ApiProperty({ description: 'Whether the AI answers new messages' })
  declare ai_enabled: boolean;

  @NullableText({ description: 'How the last message begins; null until the customer writes' })
  declare last_message: string | null;

  @NullableEnum(['customer', 'ai', 'agent'], { description: 'Who wrote last' })
  declare last_author: string | null;

  @NullableMoment('When the last message was written, ISO 8601 in UTC')
  declare last_message_at: string | null;

  @ApiProperty({ type: 'integer', description: 'Messages of the customer that no person has read' })
  declare unread_count: number;

  @NullableMoment('Since when the customer waits for a person')
  declare waiting_since: string | null;

  @NullableMoment('Since when a person has the conversation')
  declare taken_over_at: string | null;

  @ApiProperty({
    type: AssigneeResponse,
    required: false,
    description: 'Who is to take care of it; absent while it is unassigned',
  })
  declare assignee?: AssigneeResponse;

  @ApiProperty({
    type: [String],
    required: false,
    example: ['reclamação'],
    description: 'Tags, sorted, in no webhook; absent without any',
  })
  declare tags?: readonly string[];

  @NullableMoment('When it ended, ISO 8601 in UTC; null while it has not')
  declare ended_at: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class ConversationListResponse {
  @ApiProperty({ type: [ConversationItemResponse], description: 'The conversations of this page' })
  declare data: ConversationItemResponse[];

  @ApiProperty({ description: 'Address of the list', example: 'https://example.com/api/user/conversations' })
  declare path: string;

  @ApiProperty({ type: 'integer', description: 'Rows of a page' })
  declare per_page: number;

  @NullableText({ description: 'What to send as `cursor` for the next page; null on the last one' })
  declare next_cursor: string | null;

  @NullableText({ description: 'What to send as `cursor` for the page before; null on the first one' })
  declare prev_cursor: string | null;
}

export function toListResponse(
  slice: ConversationSlice,
  { sort, limit }: { readonly sort: ConversationSort; readonly limit: number },
  path: string,
): ConversationListResponse {
  return {
    data: slice.rows.map(toConversationItem),
    path,
    per_page: limit,
    next_cursor: slice.next && encodeCursor(slice.next, sort),
    prev_cursor: slice.previous && encodeCursor(slice.previous, sort),
  };
}

export function toConversationItem({
  conversation,
  assistantUuid,
  assistantName,
  assignee,
  tags,
}: ConversationRow): ConversationItemResponse {
  return {
    id: conversation.id,
    assistant_id: assistantUuid,
    assistant_name: assistantName,
    type: conversation.type,
    variables: variablesOrNull(conversation.variables),
    extracted_variables: conversation.extractedVariables,
    message_count: conversation.messageCount,
    total_cost: dollarsOf(conversation.totalCostMicros),
    tokens: toTokensResponse(conversation),
    ai_enabled: conversation.aiEnabled,
    last_message: conversation.lastMessage,
    last_author: conversation.lastAuthor,
    last_message_at: conversation.lastMessageAt?.toISOString() ?? null,
    unread_count: conversation.unreadCount,
    waiting_since: conversation.waitingSince?.toISOString() ?? null,
    taken_over_at: conversation.takenOverAt?.toISOString() ?? null,
    ...(assignee ? { assignee: toAssigneeResponse(assignee) } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ended_at: conversation.endedAt?.toISOString() ?? null,
    created_at: conversation.createdAt.toISOString(),
    updated_at: conversation.updatedAt.toISOString(),
  };
}
