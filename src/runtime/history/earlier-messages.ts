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
    const calls = room > 0 ? exchangeOf(message) : [];
    if (calls.length > 0) room -= Buffer.byteLength(JSON.stringify(calls));
    exchanges.push([...(room < 0 ? [] : hasTools ? calls : noteOf(calls)), { role, content }]);
  }
  return exchanges.reverse().flat();
}

/** Calls and results, as they were in their turn. A hand-over is left out: it speaks of the assistant that was. */
function exchangeOf({ id, functionCalls }: EarlierMessage): Exchange {
  if (!functionCalls?.length) return [];
  const calls = functionCalls.filter(({ name }) => name !== HANDOFF_TOOL);
  if (calls.length === 0) return [];
  const toolCalls = calls.map((call, index) => toolCallOf(call, `${id}/${index}`));
  return [
    { role: 'assistant', content: '', toolCalls },
    ...toolCalls.map((call, index): ChatMessage => {
      return { role: 'tool', toolCallId: call.id, name: call.name, content: resultOf(calls[index]) };
    }),
  ];
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

function resultOf(call: FunctionCall | undefined): string {
  const json = JSON.stringify(call?.result ?? {});
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
