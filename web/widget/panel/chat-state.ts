import type { Message, Widget } from './api';
import type { Problem } from './texts/texts';

/** A message of the customer that the server has not shown yet. */
export interface Outgoing {
  readonly text: string;
  /** The last message before it: what has come after that with its text is this one. */
  readonly before: number;
  readonly status: 'sending' | 'failed';
  readonly problem?: Problem;
}

/** What the chat shows. Every change makes a new one. */
export interface ChatState {
  /** Null until it is loaded. */
  readonly widget: Widget | null;
  /** Why the chat cannot be used at all. */
  readonly refusal: Problem | null;
  /** One can talk to the assistant, from a page that offers it. */
  readonly hasVoice: boolean;
  readonly hasConversation: boolean;
  /** Oldest first, as the server has them. */
  readonly messages: readonly Message[];
  readonly hasEarlier: boolean;
  /** Messages that are stored but had no answer: they are shown as what has failed, or as what was sent again. */
  readonly hiddenIds: ReadonlySet<number>;
  readonly outgoing: Outgoing | null;
  /** What the AI has written so far of its answer; null while it writes none. */
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

/** Whether a person has written, and the AI does not answer. */
export function isWithPerson({ isAiOn, messages }: ChatState): boolean {
  return !isAiOn && messages.some(({ author }) => author === 'agent');
}

/** Whether the customer has written last, and a person is to answer. */
export function isWaiting({ isAiOn, messages }: ChatState): boolean {
  return !isAiOn && messages.at(-1)?.author === 'customer';
}

/**
 * Takes in messages that were read. The customer's own one is there now, so it is no longer outgoing, nor has it failed
 * where only the answer of the server was lost; and an answer of the AI takes the place of what was written while it came.
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
    // The greeting, which comes first, answers nothing.
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
