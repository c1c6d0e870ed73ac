import type { Socket } from 'node:dgram';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { strengthOf, tone } from '@prosa/testing';
import type { CallAudio } from '@prosa/audio';
import type { NegotiatedAudio } from '../sdp/audio-negotiation.js';
import { encodeG711 } from './codec/g711.js';
import type { MediaClock, MediaTick } from './media-clock.js';
import { parseRtpPacket, writeRtpPacket } from './rtp-packet.js';
import { RtpSession, type RtpSessionOptions } from './rtp-session.js';

const PEER = { address: '192.0.2.7', port: 4_000 };
const AUDIO: NegotiatedAudio = {
  codec: 'PCMU',
  payloadType: 0,
  telephoneEventType: 101,
  remoteAddress: PEER.address,
  remotePort: PEER.port,
  direction: 'sendrecv',
  srtp: null,
};

class TestSocket extends EventEmitter {
  readonly sent: Buffer[] = [];
  send(bytes: Buffer): void {
    this.sent.push(bytes);
  }
  address() {
    return { address: '127.0.0.1', port: 5_000 };
  }
  close(): void {}
}

/** A session whose clock is ticked by hand. */
class Harness {
  readonly socket = new TestSocket();
  readonly session: RtpSession;
  private listener: (tick: MediaTick) => void = () => {};

  constructor(options: RtpSessionOptions = {}) {
    const clock = {
      add: (listener: (tick: MediaTick) => void) => (this.listener = listener),
      delete: () => {},
    } as unknown as MediaClock;
    this.session = new RtpSession(this.socket as unknown as Socket, clock, options);
    this.session.configure(AUDIO, null);
  }

  tick(tick: Partial<MediaTick> = {}): void {
    this.listener({ nowMs: performance.now(), lost: 0, isLate: false, behind: 0, ...tick });
  }

  /** The ticks of a pause of the process, as the clock makes them up. */
  makeUp(frames: number): void {
    for (let behind = frames - 1; behind >= 0; behind--) this.tick({ behind, isLate: behind >= 5 });
  }

  receive(index: number, samples: Int16Array): void {
    const payload = new Uint8Array(samples.length);
    encodeG711('PCMU', samples, payload);
    const packet = { payloadType: 0, marker: false, sequence: index, timestamp: index * 160, ssrc: 7 };
    this.socket.emit('message', writeRtpPacket(packet, payload), PEER);
  }
}

async function readAll({ heard }: CallAudio, into: Int16Array[]): Promise<void> {
  for await (const frame of heard) into.push(frame);
}

describe('RtpSession', () => {
  let nowMs = 0;
  beforeEach(() => {
    nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const sound = tone(440, 8_000, 2_000, 0.4);
  const frameAt = (index: number) => sound.subarray(index * 160, index * 160 + 160);

  it('loses nothing of what came while the process was held up, and cuts nothing in two', async () => {
    const harness = new Harness();
    const heard: Int16Array[] = [];
    const reading = readAll(harness.session.openAudio(), heard);
    let index = 0;
    const play = async (frames: number) => {
      for (let frame = 0; frame < frames; frame++) {
        nowMs += 20;
        harness.receive(index, frameAt(index));
        index++;
        harness.tick();
        await Promise.resolve();
      }
    };
    await play(25);
    // For 300 ms nothing is read; then all that came is read at once, and the ticks are made up.
    nowMs += 300;
    for (let frame = 0; frame < 15; frame++, index++) harness.receive(index, frameAt(index));
    harness.makeUp(15);
    await play(25);
    harness.session.close();
    await reading;
    expect(heard).toHaveLength(65);
    const weak = heard.slice(5).filter((frame) => strengthOf(440, frame, 8_000) < 0.2);
    expect(weak).toEqual([]);
    expect(harness.session.receiver.jitterBuffer.counts).toMatchObject({ skipped: 0, late: 0 });
  });

  it('hears silence for the time that is lost, so that the count of frames stays the time', async () => {
    const harness = new Harness();
    const audio = harness.session.openAudio();
    harness.tick();
    harness.tick({ lost: 30 });
    harness.session.close();
    let frames = 0;
    for await (const _frame of audio.heard) frames++;
    expect(frames).toBe(32);
  });

  it('sends what was late with the time at which it is sent, and nothing for the frames in between', () => {
    const harness = new Harness();
    harness.tick();
    harness.tick({ lost: 10 });
    harness.tick({ isLate: true, behind: 5 });
    harness.tick();
    const packets = harness.socket.sent.map((bytes) => parseRtpPacket(bytes)!);
    const [first, second, third] = packets;
    expect(packets).toHaveLength(3);
    expect([second!.timestamp - first!.timestamp, third!.timestamp - second!.timestamp]).toEqual([
      11 * 160,
      2 * 160,
    ]);
    expect([second!.sequence - first!.sequence, second!.marker, third!.marker]).toEqual([1, true, true]);
  });

  it('asks for the far ends of many silent calls one after the other, and each again and again', () => {
    const asked: number[] = [];
    const harnesses = Array.from({ length: 200 }, () => new Harness({ onSilence: () => asked.push(nowMs) }));
    for (const startMs = nowMs; nowMs < startMs + 75_000; nowMs += 100)
      for (const harness of harnesses) harness.tick();
    expect(Math.min(...asked)).toBeGreaterThan(31_000);
    expect(asked.length).toBeGreaterThanOrEqual(400);
    const perMoment = new Map<number, number>();
    for (const atMs of asked) perMoment.set(atMs, (perMoment.get(atMs) ?? 0) + 1);
    expect(Math.max(...perMoment.values())).toBeLessThan(20);
  });
});
