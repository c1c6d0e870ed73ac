import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventsOnlyError } from '../errors/errors.js';
import { DrainService } from '../http/connections/drain.service.js';
import { beginEvents, eventText, wantsEvents } from '../http/event-stream.js';
import { MetricsService } from '../observability/metrics.service.js';
import { LiveEventsService } from './live-events.service.js';
import type { LiveHint, LiveTopic } from './live-hint.js';

/** Proxies close what is silent. A named event: browsers hide comments, and by nothing else does a page see that it is cut off. */
const HEARTBEAT_MS = 20_000;
const HEARTBEAT = eventText({}, 'heartbeat');
/** Then the reader connects anew, and shows again that it may. */
const MAX_AGE_MS = 900_000;
/** Who reads more slowly than this is cut off, and reads everything anew. */
const MAX_UNREAD_BYTES = 64_000;
/** What a reader waits before it connects again. */
const RETRY_MS = 2_000;

interface LiveStream {
  readonly response: Response;
  readonly endsAt: number;
}

/** The event streams of hints that are open in this process. One timer serves them all; a drain ends them first. */
@Injectable()
export class LiveStreamsService implements OnApplicationShutdown {
  private readonly streams = new Set<LiveStream>();
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(
    private readonly events: LiveEventsService,
    private readonly drain: DrainService,
    metrics: MetricsService,
  ) {
    metrics.gauge({
      name: 'prosa_event_streams',
      help: 'Event streams that are open in this process',
      labelNames: [],
      read: () => Promise.resolve([{ labels: {}, value: this.streams.size }]),
    });
    drain.closing.addEventListener('abort', () => this.endAll());
  }

  /**
   * Answers with the hints of a topic, as server-sent events, until the reader goes or a quarter of an hour is over.
   *
   * @param admit refuses a stream beyond what may be open
   * @throws EventsOnlyError for a reader that takes no events
   */
  async open(
    request: Request,
    response: Response,
    admit: () => LiveTopic | Promise<LiveTopic>,
  ): Promise<void> {
    if (!wantsEvents(request)) throw new EventsOnlyError();
    const topic = await admit();
    if (response.destroyed) return;
    const stream: LiveStream = { response, endsAt: Date.now() + MAX_AGE_MS };
    beginEvents(response);
    response.write(`retry: ${RETRY_MS}\n\n`);
    const unsubscribe = this.events.subscribe(topic, (hint) => this.send(stream, hint));
    this.streams.add(stream);
    response.once('close', () => {
      unsubscribe();
      this.streams.delete(stream);
    });
    if (this.drain.closing.aborted) response.end();
    this.heartbeat ??= setInterval(() => this.beat(), HEARTBEAT_MS).unref();
  }

  onApplicationShutdown(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
  }

  private send({ response }: LiveStream, { type, ids }: LiveHint): void {
    this.write(response, eventText({ type, ids }));
  }

  private write(response: Response, text: string): void {
    if (response.writableEnded) return;
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
    else response.write(text);
  }

  private beat(): void {
    const now = Date.now();
    for (const { response, endsAt } of this.streams) {
      if (now >= endsAt) response.end();
      else this.write(response, HEARTBEAT);
    }
  }

  private endAll(): void {
    for (const { response } of this.streams) response.end();
  }
}
