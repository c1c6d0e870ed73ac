import { ApiProperty, IntersectionType, OmitType } from '@nestjs/swagger';
import { DatedResponse, NullableText } from '../../../common/http/response-fields.js';
import type { ThreadSlice } from '../inbox/inbox.service.js';
import type { Message } from '../message.entity.js';
import { HistoryEntryResponse } from './conversation.response.js';

export class ThreadMessageResponse extends IntersectionType(DatedResponse, HistoryEntryResponse) {
  @ApiProperty({ enum: ['customer', 'ai', 'agent'], description: 'agent is a person who has taken over' })
  declare author: string;

  @NullableText({
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

export class AgentMessageResponse extends DatedResponse {
  @ApiProperty({ enum: ['assistant'], description: 'Who speaks' })
  declare role: string;

  @ApiProperty({ description: 'The text of the message', example: 'Olá! Como posso ajudar?' })
  declare content: string;
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
