import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CallEnd, CallEvent } from '../../../providers/telephony/call/carrier-call.js';
import type { PlaceCall } from '../../../providers/telephony/call/call-placing.js';
import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { EventQueue } from '../../../providers/telephony/event-queue.js';
import { FarEndDialler } from './far-end-dialler.js';

const RINGING: CallEvent = { type: 'ringing' };
const ANSWERED: CallEvent = { type: 'answered' };

function ended(outcome: CallEnd['outcome']): CallEvent {
  const end = { outcome, by: 'carrier', reason: null, answeredMs: 0 } as const;
  return {
    type: 'ended',
    call: {
      callId: 'leg',
      key: null,
      direction: 'outbound',
      from: '',
      to: '',
      progress: 'ended',
      answeredBy: null,
      transfer: 'none',
      answeredAt: null,
      endedAt: null,
      end,
    },
  };
}

describe('The far end of a forward', () => {
  const placed: PlaceCall[] = [];
  const hungUp: string[] = [];
  const errors: CallCarrierError[] = [];
  let dialler: FarEndDialler;

  beforeEach(() => {
    placed.length = 0;
    hungUp.length = 0;
    errors.length = 0;
    const request = {
      key: 'k',
      to: '+551130000009',
      ringingTimeoutMs: 25_000,
      divertedFrom: '+551130000001',
    };
    dialler = new FarEndDialler(request, (error) => errors.push(error));
  });

  /** @param happens the events of its leg, which then stays silent; or why it is not placed */
  function number(id: number, happens: readonly CallEvent[] | CallCarrierError) {
    const line = {
      media: { audio: {} },
      place: async (request: PlaceCall) => {
        if (happens instanceof CallCarrierError) throw happens;
        placed.push(request);
        return { callId: `leg ${id}`, repeated: false };
      },
      watch: (_callId: string, signal?: AbortSignal) => {
        const events = new EventQueue<CallEvent>(signal);
        for (const event of happens as readonly CallEvent[]) events.push(event);
        return events;
      },
      hangUp: async (callId: string) => void hungUp.push(callId),
    } as unknown as SecondLegLine;
    return { id, phoneNumber: `+55113000000${id}`, line };
  }
  const NO = new CallCarrierError('rejected', 'no');

  it('is called from the first number, with the number that forwards', async () => {
    const leg = await dialler.dial([number(1, [RINGING, ANSWERED]), number(2, [ANSWERED])]);
    expect(leg?.id).toBe('leg 1');
    expect(placed).toEqual([
      {
        key: 'k-1',
        from: '+551130000001',
        to: '+551130000009',
        phoneNumberId: 1,
        isSecondLeg: true,
        ringingTimeoutMs: 25_000,
        divertedFrom: '+551130000001',
      },
    ]);
    expect(dialler.outcome).toBeNull();
  });

  it('is called from the next number where the first has no line, or fails before it rings', async () => {
    const leg = await dialler.dial([number(1, NO), number(2, [ended('failed')]), number(3, [ANSWERED])]);
    expect(leg?.id).toBe('leg 3');
    expect(errors).toEqual([NO]);
  });

  it.each([
    ['busy', [ended('busy')], 'busy'],
    ['no answer', [RINGING, ended('no-answer')], 'no-answer'],
    ['declined while it rang', [RINGING, ended('failed')], 'failed'],
    ['hung up without an answer', [RINGING, ended('hung-up')], 'busy'],
  ] as const)('is not called again: %s', async (_title, events, outcome) => {
    expect(await dialler.dial([number(1, events), number(2, [ANSWERED])])).toBeNull();
    expect(placed).toHaveLength(1);
    expect(dialler.outcome).toBe(outcome);
  });

  it.each([
    ['no number', []],
    ['none that places calls', [number(1, NO)]],
  ])('has failed with %s', async (_title, numbers) => {
    expect(await dialler.dial(numbers)).toBeNull();
    expect(dialler.outcome).toBe('failed');
  });

  it('stops ringing when the caller has gone, and no other number is tried', async () => {
    const dialling = dialler.dial([number(1, [RINGING]), number(2, [ANSWERED])]);
    await new Promise(setImmediate);
    await dialler.stop();
    expect(await dialling).toBeNull();
    expect(hungUp).toEqual(['leg 1']);
    expect(placed).toHaveLength(1);
  });
});
