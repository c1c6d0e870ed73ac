import type { ChatMessage, ChatRequest } from '../../chat-model.js';

/**
 * A request for a model whose server knows no tools: they are declared in the instructions, and the model writes its calls
 * as text, which the answer is searched for anyway.
 */
export function toolsInWords(request: ChatRequest): ChatRequest {
  const { tools, toolChoice, messages } = request;
  const declaration = tools.length === 0 || toolChoice === 'none' ? [] : [declared(request)];
  const [first, ...rest] = messages;
  const system = [...(first?.role === 'system' ? [first.content] : []), ...declaration].join('\n\n');
  const conversation = (first?.role === 'system' ? rest : messages).map(inWords);
  const { toolChoice: _, ...others } = request;
  return {
    ...others,
    tools: [],
    messages: [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), ...conversation],
  };
}

function declared({ tools, toolChoice }: ChatRequest): string {
  const signatures = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  );
  return [
    'You can call these tools:',
    ...signatures,
    'To call one, write nothing but <tool_call>{"name": "…", "arguments": {…}}</tool_call>. Its result comes in the next message.',
    ...(toolChoice === 'required' ? ['Answer with a call of a tool.'] : []),
  ].join('\n');
}

function inWords(message: ChatMessage): ChatMessage {
  if (message.role === 'tool')
    return {
      role: 'user',
      content: `<tool_response name="${message.name}">${message.content}</tool_response>`,
    };
  if (message.role !== 'assistant' || !message.toolCalls) return message;
  const calls = message.toolCalls.map(
    ({ name, arguments: json }) =>
      `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${json}}</tool_call>`,
  );
  return { role: 'assistant', content: [message.content, ...calls].filter((part) => part !== '').join('\n') };
}
