import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '../observability/logger.js';
import { LiveChannel } from './live-channel.js';
import { LiveEventsService } from './live-events.service.js';
import type { LiveHint } from './live-hint.js';

/** Carries what one process publishes to the other one. */
class Wire extends LiveChannel {
  hear: (text: string) => void = () => undefined;

  constructor(private readonly other: () => Wire) {
    super();
  }

  publish(text: string): Promise<void> {
    this.other().hear(text);
    return Promise.resolve();
  }

  listen(hear: (text: string) => void): void {
    this.hear = hear;
  }
}

describe('more changes at once than are kept', () => {
  const here: Wire = new Wire(() => there);
  const there: Wire = new Wire(() => here);
  let busy: LiveEventsService;
  let heard: LiveHint[];

  beforeEach(() => {
    jest.useFakeTimers();
    heard = [];
    busy = new LiveEventsService(here, Logger.create('silent'));
    const other = new LiveEventsService(there, Logger.create('silent'));
    for (const process of [busy, other]) process.subscribe('account 2', (hint) => heard.push(hint));
    for (let id = 1; id <= 5_000; id++) busy.publish('account 1', 'call', id);
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('have those who watch other topics read anew, in each process', async () => {
    busy.publish('account 2', 'call', 1);
    busy.publish('account 2', 'conversation', 'a');
    await jest.advanceTimersByTimeAsync(200);
    expect(heard).toEqual([
      { type: 'resync', ids: [] },
      { type: 'resync', ids: [] },
    ]);
  });

  it('lose nothing that comes afterwards', async () => {
    await jest.advanceTimersByTimeAsync(200);
    busy.publish('account 2', 'call', 1);
    await jest.advanceTimersByTimeAsync(200);
    expect(heard).toEqual([
      { type: 'call', ids: [1] },
      { type: 'call', ids: [1] },
    ]);
  });
});
