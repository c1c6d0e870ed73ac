import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Request, Response } from 'express';
import type { DrainService } from '../http/connections/drain.service.js';
import { Logger } from '../observability/logger.js';
import { MetricsService } from '../observability/metrics.service.js';
import type { LiveEventsService } from './live-events.service.js';
import { LiveStreamsService } from './live-streams.service.js';

describe('streams of hints', () => {
  const drain = { closing: new AbortController().signal } as DrainService;
  const events = { subscribe: () => () => undefined } as unknown as LiveEventsService;
  const request = { accepts: () => 'text/event-stream' } as unknown as Request;
  let live: LiveStreamsService;
  let metrics: MetricsService;

  beforeEach(() => {
    jest.useFakeTimers();
    metrics = new MetricsService(Logger.create('silent'));
    live = new LiveStreamsService(events, drain, metrics);
  });
  afterEach(() => {
    live.onApplicationShutdown();
    jest.useRealTimers();
  });

  async function open(): Promise<{ readonly text: () => string; readonly ended: boolean }> {
    const response = Object.assign(new PassThrough(), { writeHead: () => undefined });
    let text = '';
    response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await live.open(request, response as unknown as Response, () => 'account 1');
    return {
      text: () => text,
      get ended() {
        return response.writableEnded;
      },
    };
  }

  it('show every 20 seconds that they are alive, by an event that no reader takes for a hint', async () => {
    const stream = await open();
    const begun = stream.text();
    await jest.advanceTimersByTimeAsync(40_000);
    expect(stream.text().slice(begun.length)).toBe('event: heartbeat\ndata: {}\n\n'.repeat(2));
  });

  it('are counted while they are open', async () => {
    await open();
    await open();
    expect(await metrics.read()).toMatch(/^prosa_event_streams 2$/m);
  });

  it('end after a quarter of an hour', async () => {
    const stream = await open();
    await jest.advanceTimersByTimeAsync(14 * 60_000);
    expect(stream.ended).toBe(false);
    await jest.advanceTimersByTimeAsync(2 * 60_000);
    expect(stream.ended).toBe(true);
  });
});
