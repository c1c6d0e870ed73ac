import { ApiProperty, OmitType } from '@nestjs/swagger';
import { TokensResponse, toTokensResponse } from '../../../common/figures/tokens.response.js';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import { dollarsOf } from '../../billing/money.js';
import type { Challenge } from '../../visitors/challenges.service.js';
import type { ChatReply } from '../turns/customer-messages.service.js';
import type { ConversationDetails } from '../conversations.service.js';
import type { ConversationRow, ConversationSort } from '../inbox/conversation-list.repository.js';
import type { ConversationSlice, ThreadSlice } from '../inbox/inbox.service.js';
import type { Message } from '../message.entity.js';
import { AssigneeResponse, toAssigneeResponse } from './assignee.js';
import { encodeCursor } from './cursor.js';

export class FunctionCallResponse {
  @ApiProperty({ example: 'get_weather', description: 'Name of the function' })
  declare name: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { city: 'Lisboa' },
    description: 'What the model filled in',
  })
  declare arguments: Readonly<Record<string, unknown>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { temperature: 21 },
    description: 'What the function answered',
  })
  declare result: Readonly<Record<string, unknown>>;
}

export class HistoryEntryResponse {
  @ApiProperty({ enum: ['user', 'assistant'], description: 'Who speaks' })
  declare role: string;

  @ApiProperty({ description: 'The text of the message', example: 'Olá! Como posso ajudar?' })
  declare content: string;

  @ApiProperty({
    type: [FunctionCallResponse],
    required: false,
    description: 'Functions the assistant called for this answer, in order',
  })
  declare function_calls?: readonly FunctionCallResponse[];
}

export class CreatedConversationResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({ format: 'uuid', description: 'UUID of the conversation' })
  declare conversation_id: string;

  @ApiProperty({ type: [HistoryEntryResponse], description: 'Messages so far, oldest first' })
  declare history: HistoryEntryResponse[];
}

export class ChallengeResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({ enum: ['SHA-256'], description: 'How the challenge is solved' })
  declare algorithm: 'SHA-256';

  @ApiProperty({ example: 'v1.2hX9kQ.c2Vh.bGVk.dGFn', description: 'Secret to be sent back' })
  declare token: string;

  @ApiProperty({
    type: 'integer',
    description: 'A solution is a text for which the hash of `token.solution` begins with so many zero bits',
  })
  declare difficulty: number;

  @ApiProperty({ format: 'date-time', description: 'Until when it is valid, ISO 8601 in UTC' })
  declare expires_at: string;
}

export class ConversationResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({ type: [HistoryEntryResponse], description: 'Messages so far, oldest first' })
  declare history: HistoryEntryResponse[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Values for {{name}} in the texts of the assistant',
  })
  declare variables: Record<string, unknown> | null;

  @ApiProperty({ description: 'Whether the AI answers new messages' })
  declare ai_enabled: boolean;
}

export class ReplyResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({
    description: 'The answer; empty while the AI is off',
    example: 'Operação realizada com sucesso',
  })
  declare message: string;

  @ApiProperty({
    type: [FunctionCallResponse],
    description: 'Functions the assistant called for this answer, in order',
  })
  declare function_calls: readonly FunctionCallResponse[];
}

export class StatusResponse {
  @ApiProperty({ enum: [true], description: 'Always true in a success' })
  declare status: true;
}

export class AiSwitchResponse {
  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;

  @ApiProperty({ description: 'Whether the AI answers new messages' })
  declare ai_enabled: boolean;
}

export class ConversationItemResponse {
  @ApiProperty({ format: 'uuid', description: 'Identifier' })
  declare id: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'Id of the assistant' })
  declare assistant_id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Name of the assistant', example: 'Recepção' })
  declare assistant_name: string | null;

  @ApiProperty({ enum: ['widget', 'test'], description: 'Kind' })
  declare type: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Values for {{name}} in the texts of the assistant',
  })
  declare variables: Record<string, unknown> | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
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

  @ApiProperty({
    type: TokensResponse,
    nullable: true,
    description: 'Tokens of language models, as providers counted them; null where no model reported any',
  })
  declare tokens: TokensResponse | null;

  @ApiProperty({ description: 'Whether the AI answers new messages' })
  declare ai_enabled: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'How the last message begins; null until the customer writes',
  })
  declare last_message: string | null;

  @ApiProperty({
    type: String,
    enum: ['customer', 'ai', 'agent', null],
    nullable: true,
    description: 'Who wrote last',
  })
  declare last_author: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the last message was written, ISO 8601 in UTC',
  })
  declare last_message_at: string | null;

  @ApiProperty({ type: 'integer', description: 'Messages of the customer that no person has read' })
  declare unread_count: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when the customer waits for a person',
  })
  declare waiting_since: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when a person has the conversation',
  })
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

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it ended, ISO 8601 in UTC; null while it has not',
  })
  declare ended_at: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class ThreadMessageResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier' })
  declare id: number;

  @ApiProperty({ enum: ['user', 'assistant'], description: 'Who speaks' })
  declare role: string;

  @ApiProperty({ enum: ['customer', 'ai', 'agent'], description: 'agent is a person who has taken over' })
  declare author: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Bia',
    description:
      'Name of the member who wrote; null for the AI, customers, API keys, and the owner of the account',
  })
  declare member_name: string | null;

  @ApiProperty({
    required: false,
    example: 'Vendas',
    description:
      'Name of the assistant that gave this answer after a hand-over; not there for that of the conversation',
  })
  declare assistant_name?: string;

  @ApiProperty({ description: 'The text of the message', example: 'Olá! Como posso ajudar?' })
  declare content: string;

  @ApiProperty({
    type: [FunctionCallResponse],
    required: false,
    description: 'Functions the assistant called for this answer, in order',
  })
  declare function_calls?: readonly FunctionCallResponse[];

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

export class ThreadResponse {
  @ApiProperty({ type: [ThreadMessageResponse], description: 'Oldest first' })
  declare data: ThreadMessageResponse[];

  @ApiProperty({ description: 'Whether there are more in the direction that was asked for' })
  declare has_more: boolean;
}

/** Visitors do not see who works for the account. */
export class PublicThreadMessageResponse extends OmitType(ThreadMessageResponse, [
  'member_name',
  'assistant_name',
]) {}

export class PublicThreadResponse extends OmitType(ThreadResponse, ['data']) {
  @ApiProperty({ type: [PublicThreadMessageResponse], description: 'Oldest first' })
  declare data: PublicThreadMessageResponse[];

  @ApiProperty({ enum: [true], description: 'State' })
  declare status: true;
}

export class TestConversationResponse extends OmitType(CreatedConversationResponse, ['status']) {}

export class ConversationListResponse {
  @ApiProperty({ type: [ConversationItemResponse], description: 'The conversations of this page' })
  declare data: ConversationItemResponse[];

  @ApiProperty({ description: 'Address of the list', example: 'https://example.com/api/user/conversations' })
  declare path: string;

  @ApiProperty({ type: 'integer', description: 'Rows of a page' })
  declare per_page: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What to send as `cursor` for the next page; null on the last one',
  })
  declare next_cursor: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What to send as `cursor` for the page before; null on the first one',
  })
  declare prev_cursor: string | null;
}

export class AgentMessageResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier' })
  declare id: number;

  @ApiProperty({ enum: ['assistant'], description: 'Who speaks' })
  declare role: string;

  @ApiProperty({ description: 'The text of the message', example: 'Olá! Como posso ajudar?' })
  declare content: string;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

function toHistoryEntry({ role, content, functionCalls }: Message): HistoryEntryResponse {
  return { role, content, ...(functionCalls?.length ? { function_calls: functionCalls } : {}) };
}

export function toCreatedResponse({
  conversation,
  messages,
}: ConversationDetails): CreatedConversationResponse {
  return { status: true, conversation_id: conversation.id, history: messages.map(toHistoryEntry) };
}

export function toChallengeResponse({ token, difficulty, expiresAt }: Challenge): ChallengeResponse {
  return { status: true, algorithm: 'SHA-256', token, difficulty, expires_at: expiresAt.toISOString() };
}

export function toConversationResponse({
  conversation,
  messages,
}: ConversationDetails): ConversationResponse {
  return {
    status: true,
    history: messages.map(toHistoryEntry),
    variables: variablesOrNull(publicVariablesOf(conversation)),
    ai_enabled: conversation.aiEnabled,
  };
}

/** Without what a lookup has given: that comes from the records of the owner, and a page that has the uuid reads this. */
function publicVariablesOf({
  variables,
  lookupVariables,
}: ConversationDetails['conversation']): Readonly<Record<string, unknown>> {
  if (lookupVariables === null) return variables;
  const hidden = new Set(lookupVariables);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !hidden.has(name)));
}

export function toReplyResponse({ message, functionCalls }: ChatReply): ReplyResponse {
  return { status: true, message, function_calls: functionCalls };
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
    last_message_at: isoOrNull(conversation.lastMessageAt),
    unread_count: conversation.unreadCount,
    waiting_since: isoOrNull(conversation.waitingSince),
    taken_over_at: isoOrNull(conversation.takenOverAt),
    ...(assignee ? { assignee: toAssigneeResponse(assignee) } : {}),
    ...(tags.length > 0 ? { tags } : {}),
    ended_at: isoOrNull(conversation.endedAt),
    created_at: conversation.createdAt.toISOString(),
    updated_at: conversation.updatedAt.toISOString(),
  };
}

export function toAgentMessageResponse(message: Message): AgentMessageResponse {
  return {
    id: Number(message.id),
    role: message.role,
    content: message.content,
    created_at: message.createdAt.toISOString(),
  };
}

export function toThreadResponse({ messages, hasMore }: ThreadSlice): ThreadResponse {
  return { data: messages.map(toThreadMessage), has_more: hasMore };
}

export function toPublicThreadResponse(slice: ThreadSlice): PublicThreadResponse {
  const { data, has_more } = toThreadResponse(slice);
  return {
    status: true,
    data: data.map(({ member_name: _member, assistant_name: _assistant, ...message }) => message),
    has_more,
  };
}

function toThreadMessage(message: Message): ThreadMessageResponse {
  return {
    id: Number(message.id),
    role: message.role,
    author: message.author,
    member_name: message.memberName,
    ...(message.assistantName ? { assistant_name: message.assistantName } : {}),
    content: message.content,
    ...(message.functionCalls?.length ? { function_calls: message.functionCalls } : {}),
    created_at: message.createdAt.toISOString(),
  };
}

export function toTestConversationResponse(details: ConversationDetails): TestConversationResponse {
  const { status: _status, ...rest } = toCreatedResponse(details);
  return rest;
}

function isoOrNull(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

function variablesOrNull(variables: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(variables).length > 0 ? variables : null;
}
