import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalServer, type ReceivedRequest } from '../../support/http-server.js';

/** Writes the answer to a request; the text is the last message of the user. */
export type ModelAnswer = (text: string, response: ServerResponse) => Promise<void> | void;

export const WORDS = 'Olá! Tudo bem por aqui, e com você?';

export function chunkOf(delta: object, finish: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`;
}

/** A model that thinks for a while and says always the same. */
export function steadyAnswer(delayMs: number): ModelAnswer {
  return async (_text, response) => {
    await sleep(delayMs);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const word of WORDS.split(' ')) response.write(chunkOf({ content: `${word} ` }));
    response.end(`${chunkOf({}, 'stop')}data: [DONE]\n\n`);
  };
}

/** An OpenAI-compatible server. */
export async function startModelServer(answer: ModelAnswer): Promise<LocalServer> {
  return LocalServer.start(async (request, response) => {
    response.on('error', () => undefined);
    await answer(lastWordsOf(request), response);
  });
}

function lastWordsOf({ body }: ReceivedRequest): string {
  const { messages = [] } = JSON.parse(body || '{}') as { messages?: { role: string; content?: unknown }[] };
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}
