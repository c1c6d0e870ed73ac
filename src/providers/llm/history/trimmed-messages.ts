import type { ChatMessage } from '../chat-model.js';

/** Of a tool's result where room is short. */
const SHORT_RESULT_CHARS = 1_000;

type Messages = readonly ChatMessage[];

/**
 * With the newer half of what was said before the last message of the user; null where nothing was. It begins with a message
 * of the user, so that no result of a tool is without its call.
 */
export function withNewerHalf(messages: Messages): Messages | null {
  const { instructions, history, question } = partsOf(messages);
  if (history.length === 0) return null;
  const newer = history.slice(Math.ceil(history.length / 2));
  const begin = newer.findIndex(({ role }) => role === 'user');
  return [...instructions, ...(begin === -1 ? [] : newer.slice(begin)), ...question];
}

/** Without anything that was said before the last message of the user; null where nothing was. */
export function withoutHistory(messages: Messages): Messages | null {
  const { instructions, history, question } = partsOf(messages);
  return history.length === 0 ? null : [...instructions, ...question];
}

/** With the beginning of long results of tools alone; null where there are none. */
export function withShortResults(messages: Messages): Messages | null {
  const isLong = ({ role, content }: ChatMessage) => role === 'tool' && content.length > SHORT_RESULT_CHARS;
  if (!messages.some(isLong)) return null;
  return messages.map((message) => (isLong(message) ? { ...message, content: shortened(message) } : message));
}

/** Messages of the user that were followed by another one of the user, oldest first: nothing has answered them. */
export function unansweredIn(messages: Messages): Messages {
  const conversation = messages.filter(({ role }) => role !== 'system');
  return conversation.filter(
    ({ role }, index) => role === 'user' && conversation[index + 1]?.role === 'user',
  );
}

export function bytesOf(messages: Messages): number {
  return messages.reduce((sum, message) => {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    return sum + calls.reduce((all, call) => all + call.arguments.length, Buffer.byteLength(message.content));
  }, 0);
}

function partsOf(messages: Messages) {
  const begin = messages.findIndex(({ role }) => role !== 'system');
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const end = Math.max(begin, last);
  return {
    instructions: messages.slice(0, Math.max(0, begin)),
    history: last === -1 ? [] : messages.slice(Math.max(0, begin), end),
    question: messages.slice(Math.max(0, last === -1 ? begin : end)),
  };
}

function shortened({ content }: ChatMessage): string {
  return `${content.slice(0, SHORT_RESULT_CHARS).toWellFormed()}\n[The rest is left out.]`;
}
