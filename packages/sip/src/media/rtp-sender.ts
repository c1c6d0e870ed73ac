import { randomInt } from 'node:crypto';
import { canSend, eventClockOf, type NegotiatedAudio } from '../sdp/audio-negotiation.js';
import {
  type AudioCodec,
  factsOf,
  frameSamplesOf,
  frameTicksOf,
  type SpeechEncoder,
} from './codec/audio-codec.js';
import { DtmfTone } from './dtmf-tone.js';
import { FrameRate } from './frame-rate.js';
import { writeRtpPacket } from './rtp-packet.js';
import { SrtpSender } from './srtp.js';
import { TelephoneEventSender } from './telephone-event.js';

/** What may wait; a sender that keeps its pace has three frames there. */
const MOST_FRAMES = 50;

/**
 * From frames of 20 ms, of any rate, and keys to the packets of one call. Without frames it sends silence, so that NATs stay
 * open.
 */
export class RtpSender {
  readonly counts = { packets: 0, dropped: 0 };
  private readonly frames: Int16Array[] = [];
  private readonly events = new TelephoneEventSender();
  private tone: DtmfTone | null = null;
  private encoder: SpeechEncoder | null = null;
  private readonly rate = new FrameRate();
  private audio: NegotiatedAudio | null = null;
  private srtp: SrtpSender | null = null;
  private readonly ssrc = randomInt(2 ** 32);
  private sequence = randomInt(2 ** 15);
  private timestamp = randomInt(2 ** 32);
  private isFirst = true;

  configure(audio: NegotiatedAudio): void {
    if (audio.srtp?.localKey !== this.audio?.srtp?.localKey) {
      this.srtp = audio.srtp ? new SrtpSender(audio.srtp.localKey) : null;
    }
    if (audio.codec !== this.audio?.codec) {
      this.encoder = factsOf(audio.codec).makeEncoder();
      this.tone = null;
    }
    this.audio = audio;
  }

  send(frame: Int16Array): void {
    if (this.frames.length >= MOST_FRAMES) {
      this.frames.shift();
      this.counts.dropped++;
    }
    this.frames.push(Int16Array.from(frame));
  }

  clear(): void {
    this.frames.length = 0;
  }

  sendDigits(digits: string): void {
    this.events.enqueue(digits);
  }

  /** The packets of the next 20 ms. Time advances while nothing may be sent. */
  nextPackets(): Buffer[] {
    const { audio } = this;
    const packets = audio && canSend(audio.direction) ? this.packets(audio) : [];
    if (audio) this.timestamp = (this.timestamp + frameTicksOf(audio.codec)) >>> 0;
    return packets;
  }

  /** Time in which nothing was sent, because this process was held up. What waits is sent later, as a new talkspurt. */
  skip(frames: number): void {
    if (!this.audio || frames === 0) return;
    this.timestamp = (this.timestamp + frames * frameTicksOf(this.audio.codec)) >>> 0;
    this.isFirst = true;
  }

  private packets(audio: NegotiatedAudio): Buffer[] {
    const sounding = this.events.nextFrame(this.timestamp, eventClockOf(audio));
    if (sounding === null) return [this.audioPacket(audio, this.frames.shift() ?? silence(audio.codec))];
    if (audio.telephoneEventType === null) return [this.tonePacket(audio)];
    // Audio stops while a key sounds (RFC 4733 §2.5.1.2), so that the key is not heard twice.
    const type = audio.telephoneEventType;
    if (sounding.length === 0) return [this.audioPacket(audio, silence(audio.codec))];
    return sounding.map((event) => this.packet(type, event.marker, event.timestamp, event.payload));
  }

  private tonePacket(audio: NegotiatedAudio): Buffer {
    const key = this.events.sounding;
    if (key === null) {
      this.tone = null;
      return this.audioPacket(audio, silence(audio.codec));
    }
    this.tone ??= new DtmfTone(factsOf(audio.codec).sampleRateHz);
    return this.audioPacket(audio, this.tone.nextFrame(key));
  }

  private audioPacket(audio: NegotiatedAudio, frame: Int16Array): Buffer {
    const samples = this.rate.convert(frame, frameSamplesOf(audio.codec));
    const payload = this.encoder?.encode(samples) ?? new Uint8Array(0);
    const marker = this.isFirst;
    this.isFirst = false;
    return this.packet(audio.payloadType, marker, this.timestamp, payload);
  }

  private packet(payloadType: number, marker: boolean, timestamp: number, payload: Uint8Array): Buffer {
    this.sequence = (this.sequence + 1) & 0xffff;
    this.counts.packets++;
    const { sequence, ssrc } = this;
    const bytes = writeRtpPacket({ payloadType, marker, sequence, timestamp, ssrc }, payload);
    return this.srtp ? this.srtp.protect(bytes) : bytes;
  }
}

function silence(codec: AudioCodec): Int16Array {
  return new Int16Array(frameSamplesOf(codec));
}
