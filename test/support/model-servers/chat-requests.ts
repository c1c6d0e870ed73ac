import type { ChatRequest, ToolDefinition } from '../../../src/providers/llm/chat-model.js';

export const TOOLS: ToolDefinition[] = [
  {
    name: 'find_order',
    description: 'Finds an order.',
    parameters: objectOf({ number: { type: 'number' } }),
  },
  { name: 'find_store', description: 'Finds a store.', parameters: objectOf({ city: { type: 'string' } }) },
];

function objectOf(properties: Record<string, unknown>): Record<string, unknown> {
  return { type: 'object', properties };
}

export function asking(content: string, extra: Partial<ChatRequest> = {}): ChatRequest {
  return { model: 'test-model', messages: [{ role: 'user', content }], tools: [], ...extra };
}
