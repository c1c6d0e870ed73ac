import type { ServerResponse } from 'node:http';

/** What a server answers, as its documentation writes it. */
export interface Reply {
  readonly status?: number;
  readonly type?: string;
  /** Text as it goes over the wire. */
  readonly body: string;
}

export interface SentMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

export interface SentBody {
  readonly messages: readonly SentMessage[];
  readonly tools?: readonly unknown[];
  readonly [parameter: string]: unknown;
}

export function sendReply(response: ServerResponse, { status = 200, type, body }: Reply): void {
  response.writeHead(status, {
    'content-type': type ?? (status === 200 ? 'text/event-stream' : 'application/json'),
  });
  response.end(body);
}

/** A stream of events that ends as OpenAI's does; text is a line as it is. */
export function events(...data: readonly (object | string)[]): Reply {
  const lines = data.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}`));
  return { body: [...lines, 'data: [DONE]', ''].join('\n\n') };
}

export function refusal(status: number, body: unknown): Reply {
  return { status, body: JSON.stringify(body) };
}

export function delta(content: object, finishReason: string | null = null, more: object = {}): object {
  const choice = { index: 0, delta: content, logprobs: null, finish_reason: finishReason };
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [choice],
    ...more,
  };
}

export const USAGE = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
export const CALL = {
  id: 'call_abc123',
  type: 'function',
  function: { name: 'find_parcel', arguments: '{"code":"0042"}' },
};

/** A call in one delta, with fields of its own. */
export function callOf(more: object = {}, message: object = {}): Reply {
  return events(
    delta({ role: 'assistant', content: null, ...message, tool_calls: [{ index: 0, ...CALL, ...more }] }),
    delta({}, 'tool_calls'),
  );
}

/** The message with the calls that a request sends back. */
export function sentCalls({ messages }: SentBody): SentMessage {
  return messages.findLast((message) => message.tool_calls !== undefined) ?? { role: 'none' };
}

/** Whether user and assistant take turns, the user first, apart from calls and their results. */
export function alternates({ messages }: SentBody): boolean {
  const turns = messages.filter(({ role, tool_calls: calls }, at) => {
    return !(at === 0 && role === 'system') && role !== 'tool' && calls === undefined;
  });
  return turns.every(({ role }, at) => role === (at % 2 === 0 ? 'user' : 'assistant'));
}
