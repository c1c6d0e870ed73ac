import type { Request, Response } from 'express';
import { DomainError } from '../../../common/errors/domain-error.js';
import { EventStream, wantsEvents } from '../../../common/http/event-stream.js';
import type { CampaignProgress } from './campaign-progress.service.js';
import { toCampaignProgressResponse } from '../dto/campaign-progress.response.js';

interface ProgressSource {
  /** Refuses a stream beyond what may be open at the same time. */
  admitStream(): void;
  now(): Promise<CampaignProgress>;
  watch(signal: AbortSignal): AsyncGenerator<CampaignProgress>;
  /** Fires when the server is about to stop. */
  readonly stopping: AbortSignal;
}

/** Answers in the form the caller accepts: JSON, or server-sent events. What fails before the first is an ordinary error. */
export async function respondWithProgress(
  request: Request,
  response: Response,
  source: ProgressSource,
): Promise<void> {
  if (!wantsEvents(request)) {
    response.status(200).json(toCampaignProgressResponse(await source.now()));
    return;
  }
  source.admitStream();
  const events = new EventStream(response);
  try {
    const over = AbortSignal.any([events.signal, source.stopping]);
    for await (const progress of source.watch(over)) {
      await events.sendAndWait('progress', toCampaignProgressResponse(progress));
    }
  } catch (error) {
    // Deleted in the meantime: the stream simply ends.
    if (!events.hasStarted || !(error instanceof DomainError)) throw error;
  }
  // After `end` the client does not reconnect; the campaign continues elsewhere when this server stops.
  if (!source.stopping.aborted) await events.sendAndWait('end', {});
  events.end();
}
