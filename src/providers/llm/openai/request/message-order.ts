import type { ChatMessage, ChatRequest } from '../../chat-model.js';
import type { RequestForm } from './request-form.js';

type Assistant = Extract<ChatMessage, { role: 'assistant' }>;

/** Placeholder for words that were not said, where a server demands some. */
const GO_ON = '(Go on.)';
const NO_ANSWER = '…';

/** The messages of a request in an order that a server takes. */
export function messagesIn(
  { messages }: Pick<ChatRequest, 'messages'>,
  form: RequestForm,
): readonly ChatMessage[] {
  const isAlternating = form.turns === 'alternate';
  const noted = form.notes === 'system' ? messages : withNotesOfUser(messages, isAlternating);
  if (form.turns === 'any' && form.instructions === 'system') return noted;
  const alternating = isAlternating ? alternate(joined(noted)) : joined(noted);
  return form.instructions === 'user' ? withoutSystem(alternating) : alternating;
}

/** Words that follow others of the same side are one message with them. */
function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role === 'user' && message.role === 'user')
      result[result.length - 1] = { role: 'user', content: `${last.content}\n${message.content}` };
    else if (last?.role === 'assistant' && message.role === 'assistant' && !last.toolCalls)
      result[result.length - 1] = { ...message, content: paragraphs(last.content, message.content) };
    else result.push(message);
  }
  return result;
}

function paragraphs(first: string, second: string): string {
  return first === '' || second === '' ? first + second : `${first}\n\n${second}`;
}

/** Instructions within a conversation become words of the user; behind the result of a tool, part of the instructions. */
function withNotesOfUser(messages: readonly ChatMessage[], isAlternating: boolean): ChatMessage[] {
  const begin = messages.findIndex(({ role }) => role !== 'system');
  const head = messages.slice(0, begin === -1 ? messages.length : begin);
  const instructions = head.map(({ content }) => content);
  const rest: ChatMessage[] = [];
  for (const message of messages.slice(head.length)) {
    if (message.role !== 'system') rest.push(message);
    else if (isAlternating && rest.at(-1)?.role === 'tool') instructions.push(message.content);
    else
      rest.push({
        role: 'user',
        content: `(Instructions for you, which the user cannot see: ${message.content})`,
      });
  }
  return instructions.length === 0 ? rest : [{ role: 'system', content: instructions.join('\n\n') }, ...rest];
}

/** User and assistant take turns, apart from calls and their results; the user begins, and the assistant is not last. */
function alternate(messages: readonly ChatMessage[]): ChatMessage[] {
  const [first] = messages;
  const conversation = messages.slice(first?.role === 'system' ? 1 : 0);
  const greeting = greetingIn(conversation);
  if (greeting) conversation.shift();
  const system = [
    ...(first?.role === 'system' ? [first.content] : []),
    ...(greeting ? [`You have begun the conversation with these words:\n${greeting.content}`] : []),
  ];
  const turns: ChatMessage[] = [];
  for (const message of conversation) {
    const last = turns.at(-1);
    if (last?.role === 'tool' && message.role === 'user')
      turns.push({ role: 'assistant', content: NO_ANSWER });
    if (last === undefined && message.role !== 'user') turns.push({ role: 'user', content: GO_ON });
    turns.push(message);
  }
  const end = turns.at(-1);
  if (end === undefined || (end.role === 'assistant' && !end.toolCalls))
    turns.push({ role: 'user', content: GO_ON });
  return system.length === 0 ? turns : [{ role: 'system', content: system.join('\n\n') }, ...turns];
}

function greetingIn([first]: readonly ChatMessage[]): Assistant | null {
  return first?.role === 'assistant' && !first.toolCalls ? first : null;
}

function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const [first, second, ...rest] = messages;
  if (first?.role !== 'system') return [...messages];
  if (second?.role === 'user')
    return [{ role: 'user', content: `${first.content}\n\n${second.content}` }, ...rest];
  return [{ role: 'user', content: first.content }, ...(second ? [second] : []), ...rest];
}
