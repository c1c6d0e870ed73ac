import { describe, expect, it } from '@jest/globals';
import { seededRandom } from '../../testing/sip-mutations.js';
import { AUDIO_CODECS, type AudioCodec, factsOf, frameSamplesOf, frameTicksOf } from './codec/audio-codec.js';
import { decodeG711, encodeG711 } from './codec/g711.js';
import { strengthOf } from '@prosa/testing';
import { JitterBuffer } from './jitter-buffer.js';
import { LossConcealment } from './loss-concealment.js';
import { parseRtpPacket, writeRtpPacket } from './rtp-packet.js';
import { RtpReceiver } from './rtp-receiver.js';
import { RtpSender } from './rtp-sender.js';
import { RtpSourceFilter } from './rtp-source-filter.js';
import { TelephoneEventReceiver } from './telephone-event-receiver.js';
import { TelephoneEventSender } from './telephone-event.js';

const CLOCK_HZ = 8_000;
const FRAME_TICKS = 160;

describe('G.711', () => {
  it.each([
    ['PCMU', [0xff, 0x7f, 0x80, 0x00, 0xf0], [0, 0, 32_124, -32_124, 120]],
    ['PCMA', [0xd5, 0x55, 0xaa, 0x2a, 0x80], [8, -8, 32_256, -32_256, 5_504]],
  ] as const)('decodes %s as ITU-T G.711 says', (codec, bytes, samples) => {
    expect([...decodeG711(codec, Uint8Array.from(bytes))]).toEqual([...samples]);
  });

  it.each(['PCMU', 'PCMA'] as const)('encodes what it has decoded to the same byte, in %s', (codec) => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
    const again = new Uint8Array(256);
    encodeG711(codec, decodeG711(codec, bytes), again);
    // Both zeros of mu-law sound the same.
    expect(
      [...again].filter((byte, index) => byte !== index && !(codec === 'PCMU' && index === 0x7f)),
    ).toEqual([]);
  });

  it.each(['PCMU', 'PCMA'] as const)('stays within the step of the law, in %s', (codec) => {
    const samples = Int16Array.from({ length: 65_536 }, (_, index) => index - 32_768);
    const bytes = new Uint8Array(samples.length);
    encodeG711(codec, samples, bytes);
    const back = decodeG711(codec, bytes);
    const worst = samples.reduce((most, sample, index) => {
      const clipped = Math.min(Math.abs(sample), 32_256);
      return Math.max(most, (Math.abs(clipped - Math.abs(back[index]!)) - 8) / (clipped + 200));
    }, 0);
    expect(worst).toBeLessThan(0.035);
  });
});

describe('parseRtpPacket', () => {
  it('reads what it writes, with extension, sources and padding left out', () => {
    const packet = { payloadType: 8, marker: true, sequence: 65_535, timestamp: 4_294_967_295, ssrc: 7 };
    const bytes = writeRtpPacket(packet, Uint8Array.of(1, 2, 3));
    expect(parseRtpPacket(bytes)).toEqual({ ...packet, payload: Buffer.from([1, 2, 3]) });
    const extended = Buffer.concat([
      Buffer.from([0xb1]),
      bytes.subarray(1, 12),
      Buffer.from([0, 0, 0, 9, 0xbe, 0xde, 0, 1, 1, 1, 1, 1]),
      Buffer.from([5, 6, 0, 2]),
    ]);
    expect(parseRtpPacket(extended)?.payload).toEqual(Buffer.from([5, 6]));
  });

  it('survives random bytes', () => {
    const random = seededRandom(3_550);
    for (let count = 0; count < 5_000; count++) {
      const bytes = Buffer.from(
        Array.from({ length: Math.floor(random() * 40) }, () => Math.floor(random() * 256)),
      );
      const packet = parseRtpPacket(bytes);
      expect(packet === null || packet.payload.length <= bytes.length).toBe(true);
    }
  });
});

/** A packet of 20 ms whose values all have its number. */
function packet(number: number): [number, Int16Array] {
  return [number * FRAME_TICKS, new Int16Array(FRAME_TICKS).fill(number + 1)];
}

/** Plays through arrivals in milliseconds: what comes out each 20 ms, by number, null where something was missing. */
function play(
  buffer: JitterBuffer,
  arrivals: readonly (readonly [atMs: number, number: number])[],
  untilMs: number,
) {
  const waiting = [...arrivals].sort((a, b) => a[0] - b[0]);
  const played: (number | null)[] = [];
  for (let nowMs = 0; nowMs < untilMs; nowMs += 20) {
    while (waiting[0] && waiting[0][0] <= nowMs) {
      const [atMs, number] = waiting.shift()!;
      buffer.put(...packet(number), atMs);
    }
    const frame = buffer.take();
    played.push(frame ? frame[0]! - 1 : null);
  }
  return played;
}

const steady = (count: number) =>
  Array.from({ length: count }, (_, number) => [number * 20, number] as const);

describe('JitterBuffer', () => {
  it('plays a steady stream in order, 20 ms late', () => {
    const played = play(new JitterBuffer(), steady(50), 1_000);
    expect(played.filter((number) => number !== null)).toEqual(
      Array.from({ length: played.length }, (_, n) => n).slice(0, played.filter((n) => n !== null).length),
    );
    expect(played.slice(2)).not.toContain(null);
  });

  it('puts packets in order, and ignores repeated ones', () => {
    const buffer = new JitterBuffer({ minDelayMs: 60 });
    const swapped = steady(40).map(
      ([atMs, number]) => [atMs, number % 2 === 0 ? number + 1 : number - 1] as const,
    );
    const played = play(buffer, [...swapped, ...swapped], 800).filter((number) => number !== null);
    expect(played).toEqual(played.map((_, index) => played[0]! + index));
    expect(buffer.counts.duplicate).toBeGreaterThan(20);
  });

  it('leaves a gap where a packet is lost, and goes on in time', () => {
    const played = play(
      new JitterBuffer(),
      steady(50).filter(([, number]) => number % 10 !== 9),
      1_000,
    );
    expect(played.slice(5, 45).filter((number) => number === null)).toHaveLength(4);
  });

  it('waits longer where packets come unevenly, never more than 100 ms', () => {
    const random = seededRandom(1);
    const uneven = steady(500).map(([atMs, number]) => [atMs + random() * 70, number] as const);
    const buffer = new JitterBuffer();
    const played = play(buffer, uneven, 10_000);
    expect(buffer.targetDelayMs).toBeGreaterThan(40);
    expect(buffer.targetDelayMs).toBeLessThanOrEqual(100);
    expect(played.slice(250).filter((number) => number === null).length).toBeLessThan(15);
  });

  it('comes back to real time after the network stood still', () => {
    const stalled = steady(200).map(
      ([atMs, number]) => [atMs >= 1_000 && atMs < 1_500 ? 1_500 : atMs, number] as const,
    );
    const buffer = new JitterBuffer();
    play(buffer, stalled, 4_000);
    expect(buffer.depthMs).toBeLessThanOrEqual(140);
    expect(buffer.counts.played).toBeGreaterThan(160);
  });

  it('goes on when the sender begins anew elsewhere, also at the end of the numbers', () => {
    const buffer = new JitterBuffer();
    play(buffer, steady(20), 400);
    const jumped = Array.from({ length: 30 }, (_, number) => [number * 20, 26_843_540 + number] as const);
    const played = play(buffer, jumped, 600);
    expect(played.filter((number) => number !== null).length).toBeGreaterThan(25);
  });

  it('keeps up with a sender whose clock is fast', () => {
    const fast = Array.from({ length: 1_500 }, (_, number) => [number * 19.9, number] as const);
    const buffer = new JitterBuffer();
    play(buffer, fast, 29_800);
    expect(buffer.depthMs).toBeLessThanOrEqual(140);
    expect(buffer.counts.skipped).toBeGreaterThan(0);
  });
});

describe.each([8_000, 16_000])('LossConcealment at %i Hz', (rateHz) => {
  const length = rateHz / 50;
  const made = () => new LossConcealment(length);
  const tone = (frame: number) =>
    Int16Array.from({ length }, (_, n) =>
      Math.round(8_000 * Math.sin((2 * Math.PI * 200 * (frame * length + n)) / rateHz)),
    );

  it('goes on with the sound, fades, and is silent after 60 ms', () => {
    const concealment = made();
    for (let frame = 0; frame < 4; frame++) concealment.receive(tone(frame));
    const level = (samples: Int16Array) => Math.max(...samples.map(Math.abs));
    const guesses = Array.from({ length: 5 }, () => concealment.conceal());
    expect(new Set(guesses.map((guess) => guess.length))).toEqual(new Set([length]));
    const levels = guesses.map(level);
    expect(levels[0]).toBeGreaterThan(6_000);
    expect(levels[1]).toBeLessThan(levels[0]!);
    expect(levels.slice(3)).toEqual([0, 0]);
  });

  it('makes no jump where the lost part begins or ends', () => {
    const concealment = made();
    let last: Int16Array = new Int16Array(1);
    for (let frame = 0; frame < 4; frame++) last = concealment.receive(tone(frame));
    const lost = concealment.conceal();
    const next = concealment.receive(tone(5));
    const step = 2 * Math.PI * 200 * (8_000 / rateHz) * 2;
    expect(Math.abs(lost[0]! - last.at(-1)!)).toBeLessThan(step);
    expect(Math.abs(next[0]! - lost.at(-1)!)).toBeLessThan(step);
  });

  it('is silent before anything was heard', () => {
    expect([...made().conceal()].every((sample) => sample === 0)).toBe(true);
  });
});

describe('telephone events', () => {
  it('are heard once each, also when packets are lost or doubled', () => {
    const sender = new TelephoneEventSender();
    sender.enqueue('11w#');
    for (const lost of [() => false, (n: number) => n % 3 === 0, (n: number) => n % 2 === 1]) {
      const receiver = new TelephoneEventReceiver();
      sender.enqueue('55*');
      const keys: string[] = [];
      let count = 0;
      for (let frame = 0; !sender.isIdle; frame++) {
        for (const event of sender.nextFrame(frame * FRAME_TICKS, CLOCK_HZ) ?? []) {
          if (lost(count++)) continue;
          for (let twice = 0; twice < 2; twice++) {
            const key = receiver.receive({ ...event, sequence: count, ssrc: 1 }, CLOCK_HZ);
            if (key !== null) keys.push(key);
          }
        }
      }
      expect(keys.join('')).toMatch(/^(11#)?55\*$/);
    }
  });

  it('mark the first packet, count the duration up, and repeat the end', () => {
    const sender = new TelephoneEventSender();
    sender.enqueue('9');
    const packets = Array.from(
      { length: 8 },
      (_, frame) => sender.nextFrame(frame * FRAME_TICKS, CLOCK_HZ) ?? [],
    ).flat();
    expect(packets.map(({ marker }) => marker)).toEqual([true, ...packets.slice(1).map(() => false)]);
    expect(new Set(packets.map(({ timestamp }) => timestamp)).size).toBe(1);
    expect(packets.filter(({ payload }) => payload[1]! & 0x80)).toHaveLength(3);
    expect(packets.map(({ payload }) => payload.readUInt16BE(2))).toEqual([
      160, 320, 480, 640, 800, 960, 960, 960,
    ]);
  });
});

describe('RtpSourceFilter', () => {
  const peer = { address: '192.0.2.9', port: 4_000 };

  it('hears the negotiated address alone, and follows it to another port', () => {
    const filter = new RtpSourceFilter();
    expect(filter.admits(peer, 0, false)).toBe(false);
    filter.expect(peer, '198.51.100.7');
    expect(filter.admits({ address: '203.0.113.1', port: 4_000 }, 0, false)).toBe(false);
    expect(filter.admits({ address: '198.51.100.7', port: 9 }, 0, false)).toBe(true);
    filter.accept({ ...peer, port: 5_555 }, 10);
    expect(filter.destination).toEqual({ ...peer, port: 5_555 });
    expect(filter.admits({ ...peer, port: 6_666 }, 20, false)).toBe(false);
    expect(filter.admits({ ...peer, port: 6_666 }, 3_000, false)).toBe(true);
  });

  it('lets a stranger prove itself only where the audio is encrypted', () => {
    const filter = new RtpSourceFilter();
    filter.expect(peer, null);
    expect(filter.admits({ address: '203.0.113.1', port: 1 }, 0, true)).toBe(true);
    filter.accept(peer, 0);
    expect(filter.admits({ address: '203.0.113.1', port: 1 }, 10, true)).toBe(false);
  });

  it('stops a flood', () => {
    const filter = new RtpSourceFilter();
    filter.expect(peer, null);
    const admitted = Array.from({ length: 5_000 }, () => filter.admits(peer, 5, false)).filter(
      Boolean,
    ).length;
    expect(admitted).toBe(400);
    expect(filter.admits(peer, 1_006, false)).toBe(true);
  });
});

const PEER = { address: '127.0.0.1', port: 4_000 };

function agreed(
  codec: AudioCodec,
  telephoneEventType: number | null,
  payloadType = factsOf(codec).payloadType,
) {
  return {
    codec,
    payloadType,
    telephoneEventType,
    direction: 'sendrecv',
    remoteAddress: PEER.address,
    remotePort: PEER.port,
    srtp: null,
  } as const;
}

describe('keys without telephone events', () => {
  function sent(codec: AudioCodec): { keys: string; loudest: number } {
    const keys: string[] = [];
    const receiver = new RtpReceiver((key) => keys.push(key));
    const sender = new RtpSender();
    sender.configure(agreed(codec, null));
    receiver.configure(agreed(codec, null), null, 0);
    sender.sendDigits('1123456789*0#AD');
    let loudest = 0;
    for (let frame = 0; frame < 200; frame++) {
      for (const packet of sender.nextPackets()) receiver.receive(packet, PEER, frame * 20);
      for (const sample of receiver.nextFrame()) loudest = Math.max(loudest, Math.abs(sample));
    }
    return { keys: keys.join(''), loudest };
  }

  it.each(AUDIO_CODECS)('go as tones and come back as keys, each once (%s)', (codec) => {
    expect(sent(codec).keys).toBe('1123456789*0#AD');
  });

  // Opus is some milliseconds late, and the beginning of a key too short to be known.
  it.each(AUDIO_CODECS.filter((codec) => codec !== 'OPUS'))('are not heard (%s)', (codec) => {
    expect(sent(codec).loudest).toBeLessThan(100);
  });
});

describe('the sound of a stream', () => {
  /** Sends a tone of 440 Hz, of frames at 8 kHz, and hears what comes out: 20 ms each. */
  class Line {
    readonly sender = new RtpSender();
    readonly receiver = new RtpReceiver(() => {});
    private frame = 0;

    configure(audio: ReturnType<typeof agreed>): void {
      this.sender.configure(audio);
      this.receiver.configure(audio, null, this.frame * 20);
    }

    /** @returns how strong the tone is in what was heard of so many frames, and whether it came in whole frames */
    run(
      frames: number,
      { arrives = (_frame: number): boolean => true } = {},
    ): { share: number; rateHz: number } {
      const heard: number[] = [];
      let length = 0;
      for (let at = 0; at < frames; at++, this.frame++) {
        this.sender.send(
          Int16Array.from({ length: 160 }, (_, n) =>
            Math.round(8_000 * Math.sin((2 * Math.PI * 440 * (this.frame * 160 + n)) / 8_000)),
          ),
        );
        for (const packet of this.sender.nextPackets())
          if (arrives(at)) this.receiver.receive(packet, PEER, this.frame * 20);
        const out = this.receiver.nextFrame();
        ({ length } = out);
        heard.push(...out);
      }
      const rateHz = length * 50;
      const last = Int16Array.from(heard.slice(-15 * length));
      return { share: strengthOf(440, last, rateHz) / (8_000 / 32_768), rateHz };
    }
  }

  it.each(AUDIO_CODECS)('comes through %s with its level', (codec) => {
    const line = new Line();
    line.configure(agreed(codec, 101));
    const { share, rateHz } = line.run(40);
    expect(share).toBeCloseTo(1, 1);
    expect(rateHz).toBe(factsOf(codec).sampleRateHz);
  });

  it.each(AUDIO_CODECS)('survives the loss of one packet in eight (%s)', (codec) => {
    const line = new Line();
    line.configure(agreed(codec, 101));
    expect(line.run(80, { arrives: (frame) => frame % 8 !== 5 }).share).toBeGreaterThan(0.8);
    expect(line.receiver.jitterBuffer.counts.missing).toBeGreaterThan(7);
  });

  it('goes on through changes of the codec, announced or within what was offered', () => {
    const line = new Line();
    for (const codec of ['PCMA', 'G722', 'PCMU', 'G722'] as const) {
      line.configure(agreed(codec, 101));
      expect(line.run(40)).toEqual({ share: expect.closeTo(1, 1), rateHz: factsOf(codec).sampleRateHz });
    }
    line.sender.configure(agreed('PCMA', 101));
    expect(line.run(40)).toEqual({ share: expect.closeTo(1, 1), rateHz: 8_000 });
  });

  it('is taken by the number that was agreed on, and by no other', () => {
    const line = new Line();
    line.configure(agreed('PCMA', 101, 110));
    expect(line.run(40).share).toBeCloseTo(1, 1);
    line.sender.configure(agreed('PCMA', 101, 111));
    line.run(40);
    expect(line.receiver.counts).toMatchObject({ accepted: 40, unusable: 40 });
  });

  it('goes on through changes to Opus and back, whose clocks differ', () => {
    const line = new Line();
    for (const codec of ['PCMA', 'OPUS', 'G722', 'OPUS'] as const) {
      line.configure(agreed(codec, 101));
      expect(line.run(40)).toEqual({ share: expect.closeTo(1, 1), rateHz: factsOf(codec).sampleRateHz });
    }
  });

  it('is counted as unusable where packets of Opus are none, and goes on', () => {
    const line = new Line();
    line.configure(agreed('OPUS', 101));
    line.run(20);
    const random = seededRandom(5);
    let sequence = 0;
    for (let n = 0; n < 200; n++) {
      const payload = Buffer.from(Array.from({ length: Math.floor(random() * 900) }, () => random() * 256));
      const header = { payloadType: 111, marker: false, sequence: sequence++, timestamp: n * 960, ssrc: 7 };
      line.receiver.receive(writeRtpPacket(header, payload), PEER, 400 + n);
      line.receiver.nextFrame();
    }
    expect(line.receiver.counts.unusable).toBeGreaterThan(20);
    expect(line.run(60).share).toBeCloseTo(1, 1);
  });

  it('has the clock of Opus, and so have its keys where the peer takes them so', () => {
    const sender = new RtpSender();
    sender.configure({ ...agreed('OPUS', 101), telephoneEventClockHz: 48_000 });
    const packets = Array.from({ length: 3 }, () => parseRtpPacket(sender.nextPackets()[0]!)!);
    expect((packets[2]!.timestamp - packets[1]!.timestamp) >>> 0).toBe(frameTicksOf('OPUS'));
    expect(frameTicksOf('OPUS')).toBe(960);
    sender.sendDigits('5');
    const events = Array.from({ length: 3 }, () => parseRtpPacket(sender.nextPackets()[0]!)!);
    expect(events.map(({ payload }) => payload.readUInt16BE(2))).toEqual([960, 1_920, 2_880]);
  });

  it('has one octet for each tick of the clock, and keys in the same clock', () => {
    const sender = new RtpSender();
    sender.configure(agreed('G722', 101));
    const packets = Array.from({ length: 3 }, () => parseRtpPacket(sender.nextPackets()[0]!)!);
    expect(packets.map(({ payloadType, payload }) => [payloadType, payload.length])).toEqual(
      packets.map(() => [9, FRAME_TICKS]),
    );
    expect((packets[2]!.timestamp - packets[1]!.timestamp) >>> 0).toBe(FRAME_TICKS);
    sender.sendDigits('5');
    const events = Array.from({ length: 6 }, () => parseRtpPacket(sender.nextPackets()[0]!)!);
    expect(events.map(({ payload }) => payload.readUInt16BE(2))).toEqual([160, 320, 480, 640, 800, 960]);
    expect(frameSamplesOf('G722')).toBe(2 * FRAME_TICKS);
  });
});
