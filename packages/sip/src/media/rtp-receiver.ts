import { KeypadDetector, frameRateHz } from '@prosa/audio';
import { canReceive, eventClockOf, type NegotiatedAudio } from '../sdp/audio-negotiation.js';
import { AUDIO_CODECS, type AudioCodec, factsOf } from './codec/audio-codec.js';
import { FrameDecoder } from './codec/frame-decoder.js';
import { JitterBuffer, type JitterBufferOptions, OCTET_SCALE, type StreamScale } from './jitter-buffer.js';
import { parseRtpPacket, rtpHeaderBytes, type RtpPacket } from './rtp-packet.js';
import { type RtpAddress, RtpSourceFilter } from './rtp-source-filter.js';
import { SrtpReceiver } from './srtp.js';
import { TelephoneEventReceiver } from './telephone-event-receiver.js';

export interface RtpReceiverCounts {
  /** Packets that belonged to the call. */
  accepted: number;
  /** From strangers, beyond what a call sends, or not encrypted with its key. */
  refused: number;
  /** Not RTP, or of a payload type that was not negotiated. */
  unusable: number;
}

/** Octets of 120 ms of G.711, twice as long as any packet that is used. */
const MOST_PAYLOAD_BYTES = 960;

/** From the datagrams of one call to frames of 20 ms, at the rate of the codec they came in, and keys. */
export class RtpReceiver {
  readonly counts: RtpReceiverCounts = { accepted: 0, refused: 0, unusable: 0 };
  readonly jitterBuffer: JitterBuffer;
  private readonly filter = new RtpSourceFilter();
  private readonly decoder = new FrameDecoder();
  private readonly events = new TelephoneEventReceiver();
  private tones: KeypadDetector | null = null;
  private audio: NegotiatedAudio | null = null;
  private srtp: SrtpReceiver | null = null;
  private ssrc: number | null = null;
  private scale: StreamScale = OCTET_SCALE;
  private lastHeardMs = 0;

  constructor(
    private readonly onKey: (key: string) => void,
    options: JitterBufferOptions = {},
    /** The stream was received by another process before. */
    private readonly isResumed = false,
  ) {
    this.jitterBuffer = new JitterBuffer(options);
  }

  get destination(): RtpAddress | null {
    return this.filter.destination;
  }

  /** When the last sign of life came; from the agreement on, if none came. */
  get heardAtMs(): number {
    return this.lastHeardMs;
  }

  configure(audio: NegotiatedAudio, signallingAddress: string | null, nowMs: number): void {
    if (audio.srtp?.remoteKey !== this.audio?.srtp?.remoteKey) {
      this.srtp = audio.srtp ? new SrtpReceiver(audio.srtp.remoteKey, this.isResumed) : null;
    }
    if (audio.codec !== this.audio?.codec) this.decoder.expect(audio.codec);
    this.audio = audio;
    this.lastHeardMs = nowMs;
    this.filter.expect({ address: audio.remoteAddress, port: audio.remotePort }, signallingAddress);
  }

  /** Counts the silence from now on. */
  restartSilence(nowMs: number): void {
    this.lastHeardMs = nowMs;
  }

  receive(bytes: Buffer, from: RtpAddress, nowMs: number): void {
    if (!this.audio || !this.filter.admits(from, nowMs, this.srtp !== null)) {
      this.counts.refused++;
      return;
    }
    if (rtpHeaderBytes(bytes) === null) return this.receiveOther(from, nowMs);
    const plain = this.srtp ? this.srtp.unprotect(bytes) : bytes;
    if (plain === null) {
      this.counts.refused++;
      return;
    }
    const packet = parseRtpPacket(plain);
    if (!packet) {
      this.counts.unusable++;
      return;
    }
    // Comfort noise and the like say nothing, but that the peer is there.
    this.filter.accept(from, nowMs);
    this.lastHeardMs = nowMs;
    const codec = codecOf(packet, this.audio);
    if (codec === null && !isEvent(packet, this.audio)) {
      this.counts.unusable++;
      return;
    }
    this.counts.accepted++;
    // While we hold the peer, its audio is discarded.
    if (canReceive(this.audio.direction)) this.handle(packet, codec, nowMs, eventClockOf(this.audio));
  }

  /** RTCP, STUN, and what else keeps a NAT open (RFC 6263): not a sound, but a sign of life where it comes from the peer. */
  private receiveOther(from: RtpAddress, nowMs: number): void {
    this.counts.unusable++;
    if (this.filter.isPeer(from)) this.lastHeardMs = nowMs;
  }

  /** The next 20 ms: as they came, guessed, or silent. @param behind see JitterBuffer.take */
  nextFrame(behind = 0): Int16Array {
    const frame = this.decoder.decode(this.jitterBuffer.take(behind));
    return this.audio?.telephoneEventType === null ? this.withoutKeys(frame) : frame;
  }

  /**
   * A peer without telephone events sends keys as tones. They count as keys, and the listener hears silence instead.
   */
  private withoutKeys(frame: Int16Array): Int16Array {
    const rateHz = frameRateHz(frame.length);
    if (this.tones?.sampleRateHz !== rateHz) this.tones = new KeypadDetector(rateHz);
    const key = this.tones.hear(frame);
    if (key !== null) this.onKey(key);
    return this.tones.isTone ? new Int16Array(frame.length) : frame;
  }

  /** @param codec null for a telephone event */
  private handle(packet: RtpPacket, codec: AudioCodec | null, nowMs: number, eventClockHz: number): void {
    if (codec === null) {
      const key = this.events.receive(packet, eventClockHz);
      if (key !== null) this.onKey(key);
      return;
    }
    const values = this.valuesOf(codec, packet);
    if (values === null) return;
    const { scale } = factsOf(codec);
    if (packet.ssrc !== this.ssrc || scale !== this.scale) {
      // The peer has changed its sender, as after a transfer, or to a codec with another clock: its timestamps begin anew.
      this.ssrc = packet.ssrc;
      this.scale = scale;
      this.jitterBuffer.reset(scale);
    }
    this.jitterBuffer.put(packet.timestamp, values, nowMs);
  }

  private valuesOf(codec: AudioCodec, { payload }: RtpPacket): Int16Array | null {
    try {
      return this.decoder.valuesOf(codec, payload);
    } catch {
      // What is no sound of its codec is counted, as anything else that makes no sense.
      this.counts.unusable++;
      return null;
    }
  }
}

/**
 * The agreed codec by its agreed number, the others by their fixed ones: a peer may change between those we offered whenever
 * it likes. Null for anything else.
 */
function codecOf(packet: RtpPacket, audio: NegotiatedAudio): AudioCodec | null {
  const { payloadType, payload } = packet;
  if (payload.length > MOST_PAYLOAD_BYTES || isEvent(packet, audio)) return null;
  if (payloadType === audio.payloadType || payloadType === audio.offered?.payloadType) return audio.codec;
  const meant = AUDIO_CODECS.find((codec) => factsOf(codec).payloadType === payloadType) ?? null;
  return meant && factsOf(meant).isStatic ? meant : null;
}

/**
 * A number of our own offer keeps its meaning, even if the answer assigns it differently (RFC 3264 §5.1). Peers that
 * send by the number of their answer are heard as well.
 */
function isEvent({ payloadType }: RtpPacket, { offered, telephoneEventType }: NegotiatedAudio): boolean {
  if (payloadType === offered?.telephoneEventType) return true;
  return payloadType === telephoneEventType && payloadType !== offered?.payloadType;
}
