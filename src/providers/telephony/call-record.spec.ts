import { describe, expect, it } from '@jest/globals';
import type { CallEvent } from './call/carrier-call.js';
import { CallRecord } from './call-record.js';
import { EventQueue } from './event-queue.js';

const FACTS = {
  callId: '1',
  key: 'key',
  direction: 'outbound',
  from: '+551130000001',
  to: '+5511987654300',
} as const;

describe('CallRecord', () => {
  it('keeps the carrier’s detection result that arrived before the answer', () => {
    const record = new CallRecord(() => FACTS, 'dialing');
    record.detect('machine');
    record.answer();
    record.detect('human');

    expect(record.state).toMatchObject({ progress: 'answered', answeredBy: 'machine' });
  });

  it('tells those who watch of each change, the end last, and those who come later of the end alone', async () => {
    const record = new CallRecord(() => FACTS, 'dialing');
    const [early, late] = [new EventQueue<CallEvent>(), new EventQueue<CallEvent>()];
    record.watch(early);
    record.ring();
    record.ring();
    record.answer();
    record.finish({ outcome: 'hung-up', by: 'customer', reason: null, answeredMs: 1 });
    record.watch(late);
    const typesOf = async (events: EventQueue<CallEvent>) => {
      const types: string[] = [];
      for await (const { type } of events) types.push(type);
      return types;
    };

    expect(await typesOf(early)).toEqual(['state', 'ringing', 'answered', 'ended']);
    expect(await typesOf(late)).toEqual(['state', 'ended']);
    expect(() => record.requireAnswered()).toThrow(expect.objectContaining({ code: 'call-over' }));
  });
});
