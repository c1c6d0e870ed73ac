import type { Message, Widget } from './api';
import type { Problem } from './texts/texts';

/** A message of the customer that the server has not confirmed yet. */
export interface Outgoing {
  readonly text: string;
  /** The last message before it: what has come after that with its text is this one. */
  readonly before: number;
  readonly status: 'sending' | 'failed';
  readonly problem?: Problem;
}

/** State of the chat, immutable. */
export interface ChatState {
  /** Null until it is loaded. */
  readonly widget: Widget | null;
  /** Why the chat is unavailable. */
  readonly refusal: Problem | null;
  /** One can talk to the assistant, from a page that offers it. */
  readonly hasVoice: boolean;
  readonly hasConversation: boolean;
  /** Oldest first, as the server has them. */
  readonly messages: readonly Message[];
  readonly hasEarlier: boolean;
  /** Stored messages without an answer, shown as failed or resent. */
  readonly hiddenIds: ReadonlySet<number>;
  readonly outgoing: Outgoing | null;
  /** The streamed part of the AI's answer; null without one. */
  readonly answer: string | null;
  readonly isAiOn: boolean;
  readonly isPersonTyping: boolean;
  readonly isConnectionLost: boolean;
}

export const EMPTY: ChatState = {
  widget: null,
  refusal: null,
  hasVoice: false,
  hasConversation: false,
  messages: [],
  hasEarlier: false,
  hiddenIds: new Set(),
  outgoing: null,
  answer: null,
  isAiOn: true,
  isPersonTyping: false,
  isConnectionLost: false,
};

export function lastIdOf({ messages }: ChatState): number {
  return messages.at(-1)?.id ?? 0;
}

/** Whether a person answers instead of the AI. */
export function isWithPerson({ isAiOn, messages }: ChatState): boolean {
  return !isAiOn && messages.some(({ author }) => author === 'agent');
}

/** Whether the customer waits for a person's answer. */
export function isWaiting({ isAiOn, messages }: ChatState): boolean {
  return !isAiOn && messages.at(-1)?.author === 'customer';
}

/**
 * Adds messages of the server. The customer's stored message replaces its outgoing or failed copy. An answer of the AI replaces
 * its streamed text.
 */
export function withMessages(state: ChatState, read: readonly Message[]): ChatState {
  const last = lastIdOf(state);
  const added = read.filter(({ id }) => id > last);
  if (added.length === 0) return state;
  const { outgoing } = state;
  const messages = [...state.messages, ...added];
  const isInDoubt = outgoing?.status === 'sending' || outgoing?.problem?.key === 'offline';
  const isArrived = isInDoubt && ownAfter({ ...state, messages }, outgoing) !== null;
  const isAnswered = messages.at(-1)?.author === 'ai' && messages.length > 1;
  return {
    ...state,
    messages,
    outgoing: isArrived ? null : outgoing,
    // The greeting comes first and is not an answer.
    answer: isAnswered ? null : state.answer,
    isAiOn: added.at(-1)?.author === 'agent' ? false : state.isAiOn,
    isPersonTyping: added.some(({ author }) => author === 'agent') ? false : state.isPersonTyping,
  };
}

/** The customer's own message as the server has stored it. */
export function ownAfter(
  { messages }: ChatState,
  { text, before }: Pick<Outgoing, 'text' | 'before'>,
): Message | null {
  const isOwn = ({ id, author, content }: Message) =>
    id > before && author === 'customer' && content === text;
  return messages.find(isOwn) ?? null;
}

/** Whether there is a message after this one. */
export function isAnswered({ messages }: ChatState, { id }: Message): boolean {
  return messages.some((message) => message.id > id && message.author !== 'customer');
}
