import type OpenAI from 'openai';
import type { ChatMessage, ChatRequest, ToolCall, ToolDefinition } from '../chat-model.js';

/** OpenAI itself refuses `max_tokens` for its newer models; most compatible servers know nothing else. */
export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

/** The body of `POST /chat/completions`. An empty `tools` is left out because OpenAI refuses one. */
export function toCompletionRequest(
  request: ChatRequest,
  outputLimitField: OutputLimitField,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const hasTools = request.tools.length > 0;
  return {
    model: request.model,
    messages: request.messages.map(toWireMessage),
    ...(request.reasoningEffort !== undefined && { reasoning_effort: request.reasoningEffort }),
    stream: true,
    stream_options: { include_usage: true },
    ...(hasTools && { tools: request.tools.map(toWireTool) }),
    ...(hasTools && request.toolChoice !== undefined && { tool_choice: request.toolChoice }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxOutputTokens !== undefined && { [outputLimitField]: request.maxOutputTokens }),
  };
}

function toWireMessage(message: ChatMessage): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const toolCalls = message.toolCalls ?? [];
      if (toolCalls.length === 0) return { role: 'assistant', content: message.content };
      return {
        role: 'assistant',
        content: message.content === '' ? null : message.content,
        tool_calls: toolCalls.map(toWireToolCall),
      };
    }
  }
}

function toWireTool(tool: ToolDefinition): OpenAI.ChatCompletionTool {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  };
}

function toWireToolCall(call: ToolCall): OpenAI.ChatCompletionMessageToolCall {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
