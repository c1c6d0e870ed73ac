import type { llm } from '@livekit/agents';
import type { ChatMessage, ToolCall } from '../../providers/llm/chat-model.js';

/** The result of a call that was never answered, so that no model server refuses the history for it. */
const UNANSWERED = '{"error":"The call was interrupted before the tool had answered."}';

/**
 * What a session has gathered, as our models read it: each assistant message with its calls, and the results right behind
 * it. Results of calls that are unknown are left out.
 */
export function chatMessages(items: readonly llm.ChatItem[]): ChatMessage[] {
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
      messages.push({ role: 'tool', toolCallId: id, name, content: resultOf(outputs.get(id)) });
    calls = [];
  };
  for (const item of items) {
    if (item.type === 'function_call') {
      calls.push({ id: item.callId, name: item.name, arguments: item.args || '{}' });
      continue;
    }
    if (item.type === 'function_call_output') continue;
    settleCalls();
    if (item.type === 'message') messages.push(...messageOf(item));
  }
  settleCalls();
  return messages;
}

function messageOf({ role, textContent }: llm.ChatMessage): ChatMessage[] {
  const content = textContent ?? '';
  if (content === '') return [];
  return [{ role: role === 'developer' ? 'system' : role, content }];
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
