import { ApiProperty } from '@nestjs/swagger';
import { dollarsOf } from '../../billing/money.js';
import type { Challenge } from '../../visitors/challenges.service.js';
import type { ChatReply } from '../customer-messages.service.js';
import type { ConversationRow } from '../conversations.repository.js';
import type { ConversationDetails, ConversationSlice } from '../conversations.service.js';
import type { Message } from '../message.entity.js';
import { encodeCursor } from './cursor.js';

export class FunctionCallResponse {
  @ApiProperty({ example: 'get_weather' })
  declare name: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { city: 'Lisboa' } })
  declare arguments: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { temperature: 21 } })
  declare result: Readonly<Record<string, unknown>>;
}

export class HistoryEntryResponse {
  @ApiProperty({ enum: ['user', 'assistant'] })
  declare role: string;

  @ApiProperty()
  declare content: string;

  @ApiProperty({ type: [FunctionCallResponse], required: false })
  declare function_calls?: readonly FunctionCallResponse[];
}

export class CreatedConversationResponse {
  @ApiProperty({ enum: [true] })
  declare status: true;

  @ApiProperty({ format: 'uuid' })
  declare conversation_id: string;

  @ApiProperty({ type: [HistoryEntryResponse] })
  declare history: HistoryEntryResponse[];
}

export class ChallengeResponse {
  @ApiProperty({ enum: [true] })
  declare status: true;

  @ApiProperty({ enum: ['SHA-256'] })
  declare algorithm: 'SHA-256';

  @ApiProperty({ example: 'v1.2hX9kQ.c2Vh.bGVk.dGFn' })
  declare token: string;

  @ApiProperty({
    type: 'integer',
    description: 'A solution is a text for which the hash of `token.solution` begins with so many zero bits',
  })
  declare difficulty: number;

  @ApiProperty({ format: 'date-time' })
  declare expires_at: string;
}

export class ConversationResponse {
  @ApiProperty({ enum: [true] })
  declare status: true;

  @ApiProperty({ type: [HistoryEntryResponse] })
  declare history: HistoryEntryResponse[];

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  declare variables: Record<string, unknown> | null;

  @ApiProperty()
  declare ai_enabled: boolean;
}

export class ReplyResponse {
  @ApiProperty({ enum: [true] })
  declare status: true;

  @ApiProperty({ description: 'The answer; empty while the AI is off' })
  declare message: string;

  @ApiProperty({ type: [FunctionCallResponse] })
  declare function_calls: readonly FunctionCallResponse[];
}

export class AiSwitchResponse {
  @ApiProperty({ enum: [true] })
  declare status: true;

  @ApiProperty()
  declare ai_enabled: boolean;
}

export class ConversationItemResponse {
  @ApiProperty({ format: 'uuid' })
  declare id: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  declare assistant_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  declare assistant_name: string | null;

  @ApiProperty({ enum: ['widget', 'test'] })
  declare type: string;

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  declare variables: Record<string, unknown> | null;

  @ApiProperty({ type: 'integer' })
  declare message_count: number;

  @ApiProperty({ description: 'US dollars' })
  declare total_cost: number;

  @ApiProperty()
  declare ai_enabled: boolean;

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time' })
  declare updated_at: string;
}

export class ConversationListResponse {
  @ApiProperty({ type: [ConversationItemResponse] })
  declare data: ConversationItemResponse[];

  @ApiProperty()
  declare path: string;

  @ApiProperty({ type: 'integer' })
  declare per_page: number;

  @ApiProperty({ type: String, nullable: true })
  declare next_cursor: string | null;

  @ApiProperty({ type: String, nullable: true })
  declare prev_cursor: string | null;
}

export class AgentMessageResponse {
  @ApiProperty({ type: 'integer' })
  declare id: number;

  @ApiProperty({ enum: ['assistant'] })
  declare role: string;

  @ApiProperty()
  declare content: string;

  @ApiProperty({ format: 'date-time' })
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
    variables: variablesOrNull(conversation.variables),
    ai_enabled: conversation.aiEnabled,
  };
}

export function toReplyResponse({ message, functionCalls }: ChatReply): ReplyResponse {
  return { status: true, message, function_calls: functionCalls };
}

export function toListResponse(
  slice: ConversationSlice,
  perPage: number,
  path: string,
): ConversationListResponse {
  return {
    data: slice.rows.map(toItem),
    path,
    per_page: perPage,
    next_cursor: slice.next && encodeCursor(slice.next),
    prev_cursor: slice.previous && encodeCursor(slice.previous),
  };
}

function toItem({ conversation, assistantUuid, assistantName }: ConversationRow): ConversationItemResponse {
  return {
    id: conversation.id,
    assistant_id: assistantUuid,
    assistant_name: assistantName,
    type: conversation.type,
    variables: variablesOrNull(conversation.variables),
    message_count: conversation.messageCount,
    total_cost: dollarsOf(conversation.totalCostMicros),
    ai_enabled: conversation.aiEnabled,
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

function variablesOrNull(variables: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(variables).length > 0 ? variables : null;
}
