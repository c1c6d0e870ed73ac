import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { RtpReceiver } from './rtp-receiver.js';
import { writeRtpPacket } from './rtp-packet.js';
import { KEYS } from './telephone-event.js';
import { TelephoneEventReceiver } from './telephone-event-receiver.js';

const TICKS_PER_MS = 8;
const FRAME_TICKS = 20 * TICKS_PER_MS;

interface Packet {
  readonly sequence: number;
  readonly timestamp: number;
  readonly marker: boolean;
  readonly ssrc: number;
  readonly payload: Buffer;
}

interface Press {
  readonly key: string;
  readonly frames: number;
  readonly pauseMs: number;
  /** End packets that are sent. */
  readonly ends?: number;
  readonly hasMarker?: boolean;
  readonly hasOwnTimestamps?: boolean;
  /** Only the ends arrive. */
  readonly onlyEnds?: boolean;
}

/** What a gateway sends for presses of keys. */
function packetsOf(
  presses: readonly Press[],
  { timestamp = 4_294_960_000, sequence = 65_530 } = {},
): Packet[] {
  const packets: Packet[] = [];
  let at = timestamp;
  let count = sequence;
  const add = (press: Press, frame: number, offset: number, flags: { marker?: boolean; isEnd?: boolean }) => {
    const payload = Buffer.alloc(4);
    payload[0] = KEYS.indexOf(press.key);
    payload[1] = (flags.isEnd ? 0x80 : 0) | 10;
    payload.writeUInt16BE(frame * FRAME_TICKS, 2);
    packets.push({
      sequence: count++ & 0xffff,
      timestamp: (at + (press.hasOwnTimestamps ? offset : 0)) >>> 0,
      marker: flags.marker ?? false,
      ssrc: 7,
      payload,
    });
  };
  for (const press of presses) {
    const { frames, ends = 3, hasMarker = true } = press;
    for (let frame = 1; frame <= frames; frame++)
      if (!press.onlyEnds) add(press, frame, (frame - 1) * FRAME_TICKS, { marker: hasMarker && frame === 1 });
    for (let end = 0; end < ends; end++) add(press, frames, frames * FRAME_TICKS, { isEnd: true });
    at += frames * FRAME_TICKS + press.pauseMs * TICKS_PER_MS;
  }
  return packets;
}

function heard(packets: readonly Packet[]): string {
  const receiver = new TelephoneEventReceiver();
  return packets.map((packet) => receiver.receive(packet, 8_000) ?? '').join('');
}

const press = (key: string, changes: Partial<Press> = {}): Press => ({
  key,
  frames: 6,
  pauseMs: 80,
  ...changes,
});

describe('TelephoneEventReceiver', () => {
  it.each<[string, Partial<Press>]>([
    ['as they should be', {}],
    ['without ends', { ends: 0 }],
    ['without ends, long after each other', { ends: 0, pauseMs: 900 }],
    ['without markers', { hasMarker: false }],
    ['without ends and markers', { ends: 0, hasMarker: false }],
    ['by their ends alone', { onlyEnds: true }],
    ['with a timestamp for each packet', { hasOwnTimestamps: true }],
    ['with a timestamp for each packet, without ends', { hasOwnTimestamps: true, ends: 0 }],
    ['40 ms long, 40 ms apart', { frames: 2, pauseMs: 40 }],
    ['of one packet', { frames: 1, ends: 1 }],
  ])('hears equal and other keys once each, %s', (_name, changes) => {
    expect(heard(packetsOf(Array.from('2200*1#').map((key) => press(key, changes))))).toBe('2200*1#');
  });

  it('hears a key that is held for 20 s once, over segments whose last packets are lost', () => {
    const segments = [0, 1, 2].flatMap((segment) =>
      packetsOf([{ key: '8', frames: 400, pauseMs: 0, ends: 0, hasMarker: segment === 0 }], {
        timestamp: segment * 0xffff,
        sequence: segment * 400,
      }),
    );
    expect(heard(segments)).toBe('8');
  });

  it('hears no key again whose packets come late, after the next has begun', () => {
    const packets = packetsOf([press('4'), press('6')]);
    const [late] = packets.splice(8, 1);
    packets.splice(10, 0, late!);
    expect(heard(packets)).toBe('46');
  });

  it('hears two presses of a sender with one timestamp for all, and no late packet as a third', () => {
    const receiver = new TelephoneEventReceiver();
    const [first, second, ...ends] = packetsOf([{ key: '5', frames: 2, pauseMs: 100 }]);
    const renumbered = [first!, second!, ...ends].map((packet, index) => ({
      ...packet,
      sequence: 90 + index,
    }));
    const later = renumbered.map((packet) => ({ ...packet, sequence: packet.sequence + 20 }));
    const heard = [...renumbered, renumbered[0]!, renumbered[4]!, ...later, later[0]!, later[1]!];
    expect(heard.flatMap((packet) => receiver.receive(packet, 8_000) ?? [])).toEqual(['5', '5']);
  });

  it('hears the same key of another sender', () => {
    const first = packetsOf([press('3', { ends: 0 })]);
    const second = packetsOf([press('3')]).map((packet) => ({ ...packet, ssrc: 9, marker: false }));
    expect(heard([...first, ...second])).toBe('33');
  });

  it('knows the clock of Opus', () => {
    const receiver = new TelephoneEventReceiver();
    const at = (timestamp: number, sequence: number) =>
      receiver.receive(
        { sequence, timestamp, marker: false, ssrc: 1, payload: Buffer.from([5, 10, 0x0b, 0x40]) },
        48_000,
      );
    // 2,880 ticks are 60 ms; the third packet begins 20 ms after the end of the second, the fourth 100 ms.
    expect([at(0, 1), at(0, 2), at(2_880 + 960, 3), at(2_880 + 960 + 2_880 + 4_800, 4)]).toEqual([
      '5',
      null,
      null,
      '5',
    ]);
  });

  it('hears every row of presses, of which some packets are lost, doubled or swapped', () => {
    const presses = fc.array(
      fc.record({
        key: fc.constantFrom(...KEYS.split('')),
        frames: fc.integer({ min: 4, max: 20 }),
        pauseMs: fc.integer({ min: 60, max: 2_000 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const damage = fc.array(fc.constantFrom('none', 'none', 'none', 'none', 'doubled', 'swapped', 'lost'), {
      minLength: 400,
      maxLength: 400,
    });
    fc.assert(
      fc.property(
        presses,
        damage,
        fc.nat(2 ** 32 - 1),
        fc.nat(65_535),
        (made, damages, timestamp, sequence) => {
          const packets = packetsOf(made, { timestamp, sequence });
          const arriving: Packet[] = [];
          packets.forEach((packet, index) => {
            // One packet of each press arrives in any case.
            const isFirst = packet.marker;
            if (damages[index] === 'lost' && !isFirst) return;
            arriving.push(packet);
            if (damages[index] === 'doubled') arriving.push(packet);
            const before = arriving.at(-2);
            if (damages[index] === 'swapped' && before && before.timestamp === packet.timestamp)
              arriving.splice(-2, 2, packet, before);
          });
          expect(heard(arriving)).toBe(made.map(({ key }) => key).join(''));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads any payload without an error', () => {
    const packets = fc.record({
      sequence: fc.nat(65_535),
      timestamp: fc.nat(2 ** 32 - 1),
      marker: fc.boolean(),
      ssrc: fc.nat(3),
      payload: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
    });
    fc.assert(fc.property(fc.array(packets), (made) => expect(heard(made)).toMatch(/^[0-9*#A-D]*$/)));
  });
});

describe('the payload types of keys', () => {
  const PEER = { address: '192.0.2.9', port: 4_000 };

  /** Keys by each payload type, of a session in which we offered some and the answer has others. */
  function keysOf(offered: number | undefined, answered: number, sent: readonly number[]): string {
    const keys: string[] = [];
    const receiver = new RtpReceiver((key) => keys.push(key));
    const audio = {
      codec: 'PCMA',
      payloadType: 8,
      telephoneEventType: answered,
      offered: offered === undefined ? undefined : { payloadType: 8, telephoneEventType: offered },
      direction: 'sendrecv',
      remoteAddress: PEER.address,
      remotePort: PEER.port,
      srtp: null,
    } as const;
    receiver.configure(audio, null, 0);
    sent.forEach((payloadType, index) => {
      const payload = Buffer.from([index, 0x8a, 3, 0xc0]);
      const header = { payloadType, marker: false, sequence: index, timestamp: index * 4_000, ssrc: 1 };
      receiver.receive(writeRtpPacket(header, payload), PEER, index * 500);
    });
    return keys.join('');
  }

  it.each([
    ['ours, whatever the answer says', 101, 97, [101, 97, 99], '01'],
    ['the common one', 101, 101, [101, 97], '0'],
    ['theirs, where they have made the offer', undefined, 126, [101, 126], '1'],
    ['ours as well, where the answer calls them as a codec', 101, 8, [101, 8], '0'],
  ])('are %s', (_name, offered, answered, sent, keys) => {
    expect(keysOf(offered, answered, sent)).toBe(keys);
  });
});
