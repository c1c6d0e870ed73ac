import type { ChatMessage, ToolCall } from '../../chat-model.js';
import type { RequestForm } from './request-form.js';

/** A message of a request; providers add fields of their own. */
export interface WireMessage {
  readonly role: ChatMessage['role'];
  readonly content?: string | null;
  readonly tool_calls?: readonly WireToolCall[];
  readonly [field: string]: unknown;
}

export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/**
 * Taken by Gemini in place of a signature that is not known, as of a call that another model made.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const NO_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } };

export function wireMessageIn(message: ChatMessage, form: RequestForm): WireMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const toolCalls = message.toolCalls ?? [];
      if (toolCalls.length === 0) return { role: 'assistant', content: message.content };
      return withCalls(message.content, toolCalls, form);
    }
  }
}

function withCalls(content: string, toolCalls: readonly ToolCall[], form: RequestForm): WireMessage {
  const fields = allowed(
    toolCalls.find(({ providerFields }) => providerFields?.message)?.providerFields?.message,
    form,
  );
  const isFilled = form.filledFields === 'reasoning' && typeof fields['reasoning_content'] !== 'string';
  return {
    ...fields,
    ...(isFilled && { reasoning_content: '' }),
    role: 'assistant',
    ...(content === '' ? emptyContent(form) : { content }),
    tool_calls: toolCalls.map((call, index) => wireCall(call, index, form)),
  };
}

function emptyContent({ emptyContent: way }: RequestForm): { content?: string | null } {
  if (way === 'left-out') return {};
  return { content: way === 'null' ? null : '' };
}

function wireCall(
  { id, name, arguments: json, providerFields }: ToolCall,
  index: number,
  form: RequestForm,
): WireToolCall {
  const fields = allowed(providerFields?.call, form);
  // Of calls at once, the first one alone is signed.
  const isFilled = form.filledFields === 'signature' && index === 0 && fields['extra_content'] === undefined;
  return {
    ...fields,
    ...(isFilled && { extra_content: NO_SIGNATURE }),
    id,
    type: 'function',
    function: { ...allowed(providerFields?.function, form), name, arguments: json },
  };
}

function allowed(
  fields: Readonly<Record<string, unknown>> | undefined,
  { fieldsLeftOut }: RequestForm,
): Readonly<Record<string, unknown>> {
  if (!fields || fieldsLeftOut.length === 0) return fields ?? {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !fieldsLeftOut.includes(name)));
}
