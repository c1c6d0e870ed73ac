import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import { FreeObject } from '../../../common/http/response-fields.js';
import type { ChatReply } from '../turns/customer-messages.service.js';
import type { ConversationDetails } from '../conversations.service.js';
import type { Message } from '../message.entity.js';

export class FunctionCallResponse {
  @ApiProperty({ example: 'get_weather', description: 'Name of the function' })
  declare name: string;

  @FreeObject({ example: { city: 'Lisboa' }, description: 'What the model filled in' })
  declare arguments: Readonly<Record<string, unknown>>;

  @FreeObject({ example: { temperature: 21 }, description: 'What the function answered' })
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

export class ConversationResponse extends OmitType(CreatedConversationResponse, ['conversation_id']) {
  @FreeObject({ nullable: true, description: 'Values for {{name}} in the texts of the assistant' })
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

export class AiSwitchResponse extends PickType(ConversationResponse, ['status', 'ai_enabled']) {}

export class TestConversationResponse extends OmitType(CreatedConversationResponse, ['status']) {}

function toHistoryEntry({ role, content, functionCalls }: Message): HistoryEntryResponse {
  return { role, content, ...(functionCalls?.length ? { function_calls: functionCalls } : {}) };
}

export function toCreatedResponse({
  conversation,
  messages,
}: ConversationDetails): CreatedConversationResponse {
  return { status: true, conversation_id: conversation.id, history: messages.map(toHistoryEntry) };
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

export function toTestConversationResponse(details: ConversationDetails): TestConversationResponse {
  const { status: _status, ...rest } = toCreatedResponse(details);
  return rest;
}

export function variablesOrNull(variables: Record<string, unknown>): Record<string, unknown> | null {
  return Object.keys(variables).length > 0 ? variables : null;
}
