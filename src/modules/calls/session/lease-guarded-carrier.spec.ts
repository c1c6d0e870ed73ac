import { beforeEach, describe, expect, it } from '@jest/globals';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { CallCarrier, PlaceCall, TransferCall } from '../../../providers/telephony/call-carrier.js';
import { LeaseGuardedCarrier } from './lease-guarded-carrier.js';

/** A carrier that writes down what it is asked for, and answers with the name of that. */
function recordingCarrier(takesText = true) {
  const asked: unknown[][] = [];
  const record =
    (name: string) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
      return Promise.resolve(name);
    };
  const names = [
    'place',
    'findCall',
    'watch',
    'hangUp',
    'transfer',
    'sendDigits',
    'inboundOffers',
    'accept',
    'reject',
    'close',
  ];
  const carrier = {
    name: 'carrier',
    capabilities: { media: 'text' },
    textLine: takesText ? { say: record('say') } : null,
    ...Object.fromEntries(names.map((name) => [name, record(name)])),
  };
  return { asked, carrier: carrier as unknown as CallCarrier };
}

const PLACE = { key: 'key' } as PlaceCall;
const TRANSFER = { to: '+5511987654321' } as TransferCall;
const SIGNAL = new AbortController().signal;

describe('the line of a call', () => {
  let isHeld: boolean;
  let asked: unknown[][];
  let line: LeaseGuardedCarrier;

  beforeEach(() => {
    const recording = recordingCarrier();
    asked = recording.asked;
    isHeld = true;
    line = new LeaseGuardedCarrier(recording.carrier, () => isHeld);
  });

  const deeds: readonly (readonly [string, (line: LeaseGuardedCarrier) => Promise<unknown>, unknown[]])[] = [
    ['say', (line) => line.textLine!.say('a', 'Olá'), ['a', 'Olá']],
    ['place', (line) => line.place(PLACE), [PLACE]],
    ['transfer', (line) => line.transfer('a', TRANSFER), ['a', TRANSFER]],
    ['sendDigits', (line) => line.sendDigits('a', '12'), ['a', '12']],
    ['accept', (line) => line.accept('a'), ['a']],
    ['reject', (line) => line.reject('a', 'busy'), ['a', 'busy']],
  ];

  it.each(deeds)('does %s while the call is held, and refuses it after that', async (name, deed, args) => {
    expect(await deed(line)).toBe(name);
    isHeld = false;
    const refused = deed(line);
    await expect(refused).rejects.toBeInstanceOf(CallCarrierError);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable', sent: 'no' });
    expect(asked).toEqual([[name, ...args]]);
  });

  it('hangs up while the call is held, and after that leaves it as it is without a word', async () => {
    await line.hangUp('a');
    isHeld = false;
    await line.hangUp('a');
    expect(asked).toEqual([['hangUp', 'a']]);
  });

  it('can always be looked at', async () => {
    isHeld = false;
    expect(await line.findCall('key')).toBe('findCall');
    await expect(line.watch('a', SIGNAL)).resolves.toBe('watch');
    await expect(line.inboundOffers(SIGNAL)).resolves.toBe('inboundOffers');
    expect(asked).toEqual([
      ['findCall', 'key'],
      ['watch', 'a', SIGNAL],
      ['inboundOffers', SIGNAL],
    ]);
    expect(line.name).toBe('carrier');
    expect(line.capabilities).toEqual({ media: 'text' });
  });

  it('ends without the carrier, which outlives its calls', async () => {
    await line.close();
    expect(asked).toEqual([]);
  });

  it('takes no text where the carrier takes none', () => {
    const { carrier } = recordingCarrier(false);
    expect(new LeaseGuardedCarrier(carrier, () => true).textLine).toBeNull();
  });
});
