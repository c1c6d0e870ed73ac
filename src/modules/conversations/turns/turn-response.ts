import type { Request, Response } from 'express';
import { DomainError } from '../../../common/errors/domain-error.js';
import { EventStream, wantsEvents } from '../../../common/http/event-stream.js';
import type { ChatModelProvider } from '../../../providers/llm/chat-model.js';
import type { TurnListener } from '../../../runtime/chat-turn.js';
import { render } from '../../../i18n/catalogue.js';
import type { ChatReply } from './customer-messages.service.js';
import { toReplyResponse } from '../dto/conversation.response.js';

/** Which kind of model answers. A header, because the contract fixes the body; it marks the sandbox model. */
const MODEL_HEADER = 'X-Prosa-Model';

/**
 * Answers in the form the caller accepts: JSON, or server-sent events while the turn happens (`token`,
 * `function_call`, `restart`, then `done` with the JSON answer, or `error`). What fails before the first event is an
 * ordinary error answer. A caller that is far behind misses tokens, and gets the last event all the same. One that
 * goes away does not stop the turn: its answer is stored and charged once.
 */
export async function respondWithTurn(
  request: Request,
  response: Response,
  providerOf: () => Promise<ChatModelProvider>,
  turn: (listener?: TurnListener) => Promise<ChatReply>,
  admitStream: () => Promise<void>,
): Promise<void> {
  response.setHeader(MODEL_HEADER, await providerOf());
  if (!wantsEvents(request)) {
    response.status(200).json(toReplyResponse(await turn()));
    return;
  }
  await admitStream();
  const events = new EventStream(response);
  try {
    await events.sendAndWait('done', toReplyResponse(await turn(new TurnEvents(events))));
  } catch (error) {
    if (!events.hasStarted || !(error instanceof DomainError)) throw error;
    await events.sendAndWait('error', { status: false, error: render(error.text, 'en') });
  }
  events.end();
}

/** Tells of the turn while it happens. */
class TurnEvents implements TurnListener {
  constructor(private readonly events: EventStream) {}

  onText(delta: string): void {
    this.events.send('token', { delta });
  }

  onRestart(kept: string): void {
    if (this.events.hasStarted) this.events.send('restart', {});
    if (kept !== '') this.onText(kept);
  }

  onFunctionCall(call: Parameters<TurnListener['onFunctionCall']>[0]): void {
    this.events.send('function_call', call);
  }
}
