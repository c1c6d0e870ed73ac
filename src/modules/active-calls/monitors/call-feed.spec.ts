import { describe, expect, it } from '@jest/globals';
import { FrameQueue, type CallAudio } from '@prosa/audio';
import { CallFeed, type FeedListener } from './call-feed.js';

/** A listener that writes down what it hears of. */
function listenerOf(log: unknown[]): FeedListener {
  return {
    onSound: () => undefined,
    onTurn: ({ speaker, text }, isFinal) => log.push([speaker, text, isFinal]),
    onState: (state) => log.push(state),
    onTool: ({ name }) => log.push(['tool', name]),
    onHolder: () => log.push('holder'),
    onListeners: (count) => log.push(['listeners', count]),
    onEnd: (reason) => log.push(['end', reason]),
  };
}

describe('the feed of a call', () => {
  it('shows what a person says as a whole, and who has the customer sooner than the database', () => {
    const feed = new CallFeed();
    const log: unknown[] = [];
    feed.listen(listenerOf(log));
    feed.showTurn({ speaker: 'agent', text: 'Boa tarde', startMs: 0, memberName: 'Ana' });
    expect(log).toEqual([['agent', 'Boa tarde', true]]);
    const stored = { holder: 'assistant', memberName: null } as const;
    feed.takeover.claim({ key: 'member 5', memberId: 5, memberName: 'Ana' }, {});
    expect(feed.holderOf(stored)).toEqual({ holder: 'agent', memberName: 'Ana' });
    feed.takeover.release();
    expect(feed.holderOf({ holder: 'agent', memberName: 'Ana' })).toEqual(stored);
    expect(feed.holderOf({ holder: 'transfer', memberName: null }).holder).toBe('transfer');
    feed.end(null);
  });

  it('shows turns while they grow, states and tools', () => {
    const feed = new CallFeed();
    const log: unknown[] = [];
    const leave = feed.listen(listenerOf(log));
    feed.showState('speaking');
    feed.showTurn({ speaker: 'assistant', text: 'Olá', startMs: 0 });
    feed.showTurn({ speaker: 'assistant', text: 'Olá! Tudo bem?', startMs: 0 });
    feed.showState('listening');
    feed.showTurn({ speaker: 'customer', text: 'Oi', startMs: 900 });
    feed.showTool({ name: 'book', arguments: {} });
    feed.end('customer');
    expect(log).toEqual([
      'speaking',
      ['assistant', 'Olá', false],
      ['assistant', 'Olá! Tudo bem?', false],
      ['assistant', 'Olá! Tudo bem?', true],
      'listening',
      ['customer', 'Oi', true],
      ['tool', 'book'],
      ['end', 'customer'],
    ]);
    if (typeof leave === 'function') leave();
    feed.showState('speaking');
    expect(log).toHaveLength(8);
  });

  it('has three listeners at most, who hear of one another, and none once it is over', () => {
    const feed = new CallFeed();
    const log: unknown[] = [];
    const first = feed.listen(listenerOf(log));
    feed.listen(listenerOf([]));
    feed.listen(listenerOf([]));
    expect(feed.listen(listenerOf([]))).toBe('full');
    expect(log).toEqual([
      ['listeners', 2],
      ['listeners', 3],
    ]);
    if (typeof first === 'function') first();
    expect(feed.listenerCount).toBe(2);
    feed.end(null);
    expect(feed.listen(listenerOf([]))).toBe('over');
  });

  it('leaves the sound of the line as it is', async () => {
    const feed = new CallFeed();
    const heard = new FrameQueue(10);
    const sent: Int16Array[] = [];
    let clears = 0;
    const line: CallAudio = {
      sampleRateHz: 8_000,
      heard,
      send: (frame) => sent.push(frame),
      clear: () => clears++,
    };
    const tapped = feed.tap(line);
    feed.listen(listenerOf([]));
    const frames = [1, 2, 3].map((value) => new Int16Array(160).fill(value));
    for (const frame of frames) {
      heard.push(frame);
      tapped.send(frame);
    }
    tapped.clear();
    heard.end();
    const read: Int16Array[] = [];
    for await (const frame of tapped.heard) read.push(frame);
    expect(read).toEqual(frames);
    expect(sent).toEqual(frames);
    expect([tapped.sampleRateHz, clears]).toEqual([8_000, 1]);
    feed.end(null);
  });

  it('lets the line go when its reader leaves', async () => {
    const feed = new CallFeed();
    const heard = new FrameQueue(10);
    const tapped = feed.tap({ sampleRateHz: 8_000, heard, send: () => undefined, clear: () => undefined });
    heard.push(new Int16Array(160));
    for await (const frame of tapped.heard) {
      expect(frame).toHaveLength(160);
      break;
    }
    expect(await heard.next()).toEqual({ value: undefined, done: true });
  });
});
