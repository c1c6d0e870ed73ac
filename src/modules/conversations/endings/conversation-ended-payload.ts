import { DateTime } from 'luxon';
import type { Evaluation } from '../../../runtime/call/evaluation/evaluation.js';
import type { Conversation } from '../conversation.entity.js';
import type { Message } from '../message.entity.js';
import { formattedTranscript } from './formatted-transcript.js';

interface TranscriptEntry {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** ISO 8601 in the assistant's zone. */
  readonly timestamp: string;
  /** Seconds. */
  readonly timestamp_unix: number;
}

/** Body of the conversation-ended webhook. What only messengers know is empty: chats come from widgets. */
export interface ConversationEndedPayload {
  readonly id: number;
  readonly conversation_id: string;
  readonly assistant_id: string;
  readonly type: string;
  readonly message_count: number;
  readonly status: 'ended';
  /** The evaluation; empty for a conversation that is not evaluated. */
  readonly extracted_variables: Evaluation;
  readonly input_variables: Readonly<Record<string, unknown>>;
  readonly transcript: readonly TranscriptEntry[];
  readonly formatted_transcript: string;
  readonly attachments: readonly never[];
  readonly customer_phone: null;
  readonly customer_name: null;
  readonly sender: null;
  readonly created_at: string;
  readonly ended_at: string;
}

/** As it was at its end. */
type EndedConversation = Pick<
  Conversation,
  'id' | 'number' | 'type' | 'messageCount' | 'variables' | 'createdAt' | 'extractedVariables'
> & { readonly endedAt: Date };

export function conversationEndedPayload(
  conversation: EndedConversation,
  messages: readonly Message[],
  assistant: { readonly uuid: string; readonly timezone: string },
): ConversationEndedPayload {
  const local = (at: Date) => isoIn(assistant.timezone, at);
  return {
    id: conversation.number,
    conversation_id: conversation.id,
    assistant_id: assistant.uuid,
    type: conversation.type,
    message_count: conversation.messageCount,
    status: 'ended',
    extracted_variables: conversation.extractedVariables,
    input_variables: conversation.variables,
    transcript: messages.map(({ role, content, createdAt }) => ({
      role,
      content,
      timestamp: local(createdAt),
      timestamp_unix: Math.floor(createdAt.getTime() / 1_000),
    })),
    formatted_transcript: formattedTranscript(messages),
    attachments: [],
    customer_phone: null,
    customer_name: null,
    sender: null,
    created_at: local(conversation.createdAt),
    ended_at: local(conversation.endedAt),
  };
}

/** UTC where the zone is not known any more. */
function isoIn(zone: string, at: Date): string {
  return DateTime.fromJSDate(at, { zone }).toISO() ?? at.toISOString();
}
