import { once } from 'node:events';
import type { Request, Response } from 'express';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { CampaignProgress } from './campaign-progress.service.js';
import { toCampaignProgressResponse } from '../dto/campaign-progress.response.js';

interface ProgressSource {
  /** Refuses a stream beyond what may be open at the same time. */
  admitStream(): void;
  now(): Promise<CampaignProgress>;
  watch(signal: AbortSignal): AsyncGenerator<CampaignProgress>;
}

/** Answers in the form the caller accepts: JSON, or server-sent events. What fails before the first is an ordinary error. */
export async function respondWithProgress(
  request: Request,
  response: Response,
  source: ProgressSource,
): Promise<void> {
  if (request.accepts(['application/json', 'text/event-stream']) !== 'text/event-stream') {
    response.status(200).json(toCampaignProgressResponse(await source.now()));
    return;
  }
  source.admitStream();
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    for await (const progress of source.watch(gone.signal)) {
      await send(response, 'progress', toCampaignProgressResponse(progress), gone.signal);
    }
  } catch (error) {
    // Deleted meanwhile: the stream simply ends.
    if (!response.headersSent || !(error instanceof DomainError)) throw error;
  }
  await send(response, 'end', {}, gone.signal);
  response.end();
}

/** Waits for a slow reader, so that nothing piles up. */
async function send(response: Response, event: string, data: object, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!response.headersSent) {
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
  }
  if (response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
  await once(response, 'drain', { signal }).catch(() => undefined);
}
