import type { llm } from '@livekit/agents';
import { ToolResults } from './tool-results.js';
import type { ChatMessage, ProviderFields, ToolCall } from '../../providers/llm/chat-model.js';

/** In the `extra` of a call, where the engine keeps it. */
export const PROVIDER_FIELDS = 'providerFields';

/** The result of a call that never began, so that no model server refuses the history for it. */
const UNANSWERED = '{"error":"The call was interrupted before the tool had answered."}';

/**
 * What a session has gathered, as our models read it: each assistant message with its calls, and the results right behind
 * it. Results of calls that are unknown are left out. Words that follow others of the same side are one message, as in a
 * chat: some model servers want the two sides to take turns.
 *
 * @param results of tools, where the items do not have them
 */
export function chatMessages(items: readonly llm.ChatItem[], results = new ToolResults()): ChatMessage[] {
  const outputs = new Map(
    items.flatMap((item) => (item.type === 'function_call_output' ? [[item.callId, item] as const] : [])),
  );
  const messages: ChatMessage[] = [];
  let calls: ToolCall[] = [];
  const settleCalls = () => {
    if (calls.length === 0) return;
    const last = messages.at(-1);
    const content = last?.role === 'assistant' && !last.toolCalls ? last.content : null;
    if (content !== null) messages.pop();
    messages.push({ role: 'assistant', content: content ?? '', toolCalls: calls });
    for (const { id, name } of calls)
      messages.push({
        role: 'tool',
        toolCallId: id,
        name,
        content: results.read(id) ?? resultOf(outputs.get(id)),
      });
    calls = [];
  };
  for (const item of items) {
    if (item.type === 'function_call') {
      // Only this process writes it: `chat-model-llm.ts`.
      const fields = item.extra[PROVIDER_FIELDS] as ProviderFields | undefined;
      const call = { id: item.callId, name: item.name, arguments: item.args || '{}' };
      calls.push(fields ? { ...call, providerFields: fields } : call);
      continue;
    }
    if (item.type === 'function_call_output') continue;
    settleCalls();
    if (item.type === 'message') addMessage(messages, item);
  }
  settleCalls();
  return messages;
}

/**
 * Puts an instruction for one turn behind the conversation, as in a chat. The engine adds it to the assistant's own
 * instructions. The last message would then be the assistant's, and many models answer that with nothing.
 *
 * @param instructions the assistant's own
 * @param messages the first of them with what the engine has made of the instructions; changed
 */
export function moveNote(messages: ChatMessage[], instructions: string): void {
  const [first] = messages;
  if (first?.role !== 'system' || !first.content.startsWith(`${instructions}\n`)) return;
  messages[0] = { role: 'system', content: instructions };
  // The turn's own calls and their results come after what asked for them.
  let at = messages.length;
  while (at > 1 && isOfCall(messages[at - 1])) at--;
  messages.splice(at, 0, { role: 'system', content: first.content.slice(instructions.length + 1) });
}

function isOfCall(message: ChatMessage | undefined): boolean {
  return message?.role === 'tool' || (message?.role === 'assistant' && message.toolCalls !== undefined);
}

function addMessage(messages: ChatMessage[], { role: given, textContent }: llm.ChatMessage): void {
  const content = textContent ?? '';
  if (content.trim() === '') return;
  const role = given === 'developer' ? 'system' : given;
  const last = messages.at(-1);
  const isContinued = role !== 'system' && last?.role === role && !isOfCall(last);
  if (isContinued) messages.splice(-1, 1, { role, content: `${last.content}\n${content}` });
  else messages.push({ role, content });
}

function resultOf(output: llm.FunctionCallOutput | undefined): string {
  if (!output) return UNANSWERED;
  // The engine quotes what is plain text.
  return output.output.startsWith('"') ? unquoted(output.output) : output.output;
}

function unquoted(json: string): string {
  try {
    return String(JSON.parse(json));
  } catch {
    return json;
  }
}
