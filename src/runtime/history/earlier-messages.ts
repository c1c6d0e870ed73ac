import { createHash } from 'node:crypto';
import type { ChatMessage, ToolCall } from '../../providers/llm/chat-model.js';
import type { FunctionCall } from '../function-call.js';
import { HANDOFF_TOOL } from '../handoff/handoff-tool.js';
import { boundedText, callableName } from '../tools/tool.js';

/** A message of a conversation, with the functions that the model called before it said it. */
export interface EarlierMessage {
  /** Unlike that of any other message of the conversation. */
  readonly id: number | string;
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly functionCalls?: readonly FunctionCall[] | null;
}

/** Of one result. */
const MAX_RESULT_BYTES = 4 * 1024;
/** Of all calls and results together; the newest are shown. */
const MAX_CALLS_BYTES = 24 * 1024;
const MAX_ARGUMENTS_CHARS = 2 * 1024;
const CUT_NOTE = '\n[The rest of this earlier answer is left out.]';

type Exchange = readonly ChatMessage[];

interface AnsweredCall {
  readonly toolCall: ToolCall;
  readonly result: ChatMessage;
}

/**
 * What was said before as a model reads it, oldest first: each answer behind the calls that led to it and their results, so
 * that the model knows in later turns what a tool has answered. Long results are cut, and the oldest are left out.
 *
 * @param hasTools whether the request has tools: without, some servers refuse calls and results, and they become notes
 */
export function earlierMessages(messages: readonly EarlierMessage[], hasTools: boolean): ChatMessage[] {
  if (!messages.some(({ functionCalls }) => functionCalls?.length))
    return messages.map(({ role, content }) => ({ role, content }));
  let room = MAX_CALLS_BYTES;
  const exchanges: Exchange[] = [];
  for (const message of messages.toReversed()) {
    const { role, content } = message;
    const answered: AnsweredCall[] = [];
    for (const call of room < 0 ? [] : answeredCalls(message).reverse()) {
      room -= Buffer.byteLength(JSON.stringify(call));
      if (room < 0) break;
      answered.unshift(call);
    }
    const calls = exchangeOf(answered);
    exchanges.push([...(hasTools ? calls : noteOf(calls)), { role, content }]);
  }
  return exchanges.reverse().flat();
}

/** Calls with their results. A hand-over is left out: it speaks of the assistant that was. */
function answeredCalls({ id, functionCalls }: EarlierMessage): AnsweredCall[] {
  const calls = functionCalls?.filter(({ name }) => name !== HANDOFF_TOOL) ?? [];
  return calls.map((call, index) => {
    const toolCall = toolCallOf(call, `${id}/${index}`);
    const { id: toolCallId, name } = toolCall;
    return { toolCall, result: { role: 'tool', toolCallId, name, content: resultOf(call) } };
  });
}

/** Calls and results, as they were in their turn. */
function exchangeOf(answered: readonly AnsweredCall[]): Exchange {
  if (answered.length === 0) return [];
  const toolCalls = answered.map(({ toolCall }) => toolCall);
  return [{ role: 'assistant', content: '', toolCalls }, ...answered.map(({ result }) => result)];
}

function toolCallOf({ name, arguments: args }: FunctionCall, place: string): ToolCall {
  const json = JSON.stringify(args);
  return {
    id: callId(place),
    name: callableName(name),
    arguments: json.length > MAX_ARGUMENTS_CHARS ? '{}' : json,
  };
}

/** Nine letters and digits: Mistral takes no others. The same in each turn, so that providers can keep what they have read. */
function callId(place: string): string {
  const id = createHash('sha256')
    .update(place)
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '');
  return id.slice(0, 9);
}

function resultOf({ result }: FunctionCall): string {
  const json = JSON.stringify(result);
  if (Buffer.byteLength(json) <= MAX_RESULT_BYTES) return json;
  return boundedText(json, MAX_RESULT_BYTES - CUT_NOTE.length) + CUT_NOTE;
}

function noteOf(exchange: Exchange): ChatMessage[] {
  const [first] = exchange;
  if (first?.role !== 'assistant' || !first.toolCalls) return [];
  const answers = exchange.slice(1).map(({ content }, index) => {
    const { name = '', arguments: args = '' } = first.toolCalls?.[index] ?? {};
    return `${name}(${args}) answered: ${content}`;
  });
  return [
    { role: 'system', content: `Tools answered at this point of the conversation:\n${answers.join('\n')}` },
  ];
}
