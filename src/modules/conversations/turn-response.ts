import type { Request, Response } from 'express';
import { DomainError } from '../../common/errors/domain-error.js';
import type { ChatModelProvider } from '../../providers/llm/chat-model.js';
import type { TurnListener } from '../../runtime/chat-turn.js';
import { render } from '../../i18n/catalogue.js';
import type { ChatReply } from './customer-messages.service.js';
import { toReplyResponse } from './dto/conversation.response.js';

/** Which kind of model answers: the body is the contract's, and a sandbox must be told from a real one. */
const MODEL_HEADER = 'X-Prosa-Model';

/** A client that reads more slowly than this much is not written to any further; its turn goes on. */
const MAX_UNREAD_BYTES = 1_000_000;

/**
 * Answers in the form the caller accepts: JSON, or server-sent events while the turn happens (`token`,
 * `function_call`, `restart`, then `done` with the JSON answer, or `error`). What fails before the first event is an
 * ordinary error answer. A caller that goes away does not stop the turn: its answer is stored and charged once.
 */
export async function respondWithTurn(
  request: Request,
  response: Response,
  provider: ChatModelProvider,
  turn: (listener?: TurnListener) => Promise<ChatReply>,
  admitStream: () => Promise<void>,
): Promise<void> {
  response.setHeader(MODEL_HEADER, provider);
  if (!wantsEvents(request)) {
    response.status(200).json(toReplyResponse(await turn()));
    return;
  }
  await admitStream();
  const events = new EventStream(response);
  try {
    events.send('done', toReplyResponse(await turn(events)));
  } catch (error) {
    if (!events.started || !(error instanceof DomainError)) throw error;
    events.send('error', { status: false, error: render(error.text, 'en') });
  }
  response.end();
}

function wantsEvents(request: Request): boolean {
  return request.accepts(['application/json', 'text/event-stream']) === 'text/event-stream';
}

class EventStream implements TurnListener {
  started = false;

  constructor(private readonly response: Response) {}

  onText(delta: string): void {
    this.send('token', { delta });
  }

  onRestart(): void {
    if (this.started) this.send('restart', {});
  }

  onFunctionCall(call: Parameters<TurnListener['onFunctionCall']>[0]): void {
    this.send('function_call', call);
  }

  send(event: string, data: unknown): void {
    if (!this.started) {
      this.started = true;
      this.response.writeHead(200, {
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
    }
    if (this.response.writableLength < MAX_UNREAD_BYTES) {
      this.response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }
}
