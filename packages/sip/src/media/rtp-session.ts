import type { RemoteInfo, Socket } from 'node:dgram';
import { frameLength, type CallAudio, type SampleRateHz, FrameQueue } from '@prosa/audio';
import type { NegotiatedAudio } from '../sdp/audio-negotiation.js';
import { OPEN_GATE, type SendGate } from '../transport/process-pause-guard.js';
import { factsOf } from './codec/audio-codec.js';
import { FrameRate } from './frame-rate.js';
import type { JitterBufferOptions } from './jitter-buffer.js';
import type { MediaClock, MediaTick } from './media-clock.js';
import { RtpReceiver } from './rtp-receiver.js';
import { RtpSender } from './rtp-sender.js';

/** What a reader may be late by, in frames: a second. */
const HEARD_FRAMES = 50;

export interface RtpSessionOptions {
  readonly jitterBuffer?: JitterBufferOptions;
  /** Nothing comes for so long, or a little longer: the far end is gone, holds us, or has muted itself. */
  readonly silenceTimeoutMs?: number;
  /** Another process had the call before. */
  readonly isResumed?: boolean;
  /** Of its audio, which keeps this rate. Left out: as the codec has it when the audio is first opened. */
  readonly lineRateHz?: SampleRateHz;
  /** Left out: it is always open. */
  readonly gate?: SendGate;
  readonly onKey?: (key: string) => void;
  /** Called again each time as long as it lasts. */
  readonly onSilence?: () => void;
}

const SILENCE_TIMEOUT_MS = 30_000;
/** Share of the timeout that a random part is added of: calls that fall silent together are not all refreshed together. */
const SILENCE_SPREAD = 0.2;
/** A pause of the process, in which nothing could be heard. */
const PAUSE_MS = 1_000;

/** The audio of one call: a socket, the packets through it, and the frames for those who talk and listen. */
export class RtpSession {
  readonly receiver: RtpReceiver;
  readonly sender = new RtpSender();
  private heard: FrameQueue | null = null;
  private audio: NegotiatedAudio | null = null;
  private closed = false;
  private partial = new Int16Array(0);
  private lineRateHz: SampleRateHz | null;
  private readonly heardRate = new FrameRate();
  private readonly gate: SendGate;
  private tickedAtMs = 0;
  private silenceTimeoutMs: number;
  private readonly tick = (tick: MediaTick) => this.onTick(tick);

  constructor(
    private readonly socket: Socket,
    private readonly clock: MediaClock,
    private readonly options: RtpSessionOptions = {},
  ) {
    this.gate = options.gate ?? OPEN_GATE;
    this.lineRateHz = options.lineRateHz ?? null;
    this.silenceTimeoutMs = this.nextSilenceTimeoutMs();
    this.receiver = new RtpReceiver(
      (key) => this.options.onKey?.(key),
      options.jitterBuffer,
      options.isResumed,
    );
    socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
      this.receiver.receive(bytes, { address: from.address, port: from.port }, performance.now());
    });
    // An unreachable peer shows by its silence.
    socket.on('error', () => {});
  }

  get localPort(): number {
    return this.socket.address().port;
  }

  /** Starts, or continues with a new negotiation. */
  configure(audio: NegotiatedAudio, signallingAddress: string | null): void {
    if (this.closed) return;
    this.receiver.configure(audio, signallingAddress, performance.now());
    this.sender.configure(audio);
    if (this.audio === null) this.clock.add(this.tick);
    this.audio = audio;
  }

  sendDigits(digits: string): void {
    this.sender.sendDigits(digits);
  }

  /**
   * Opens the audio; the previous reader hears no more. Read `heard` once. The audio keeps its rate when another
   * codec is agreed on.
   */
  openAudio(signal?: AbortSignal): CallAudio {
    this.heard?.end();
    const heard = new FrameQueue(HEARD_FRAMES);
    this.heard = heard;
    if (this.closed || signal?.aborted) heard.end();
    signal?.addEventListener('abort', () => heard.end(), { once: true });
    const sampleRateHz = (this.lineRateHz ??= factsOf(this.audio?.codec ?? 'PCMU').sampleRateHz);
    const isOpen = () => this.heard === heard && !this.closed && !signal?.aborted;
    return {
      sampleRateHz,
      heard,
      send: (frame) => {
        if (isOpen()) this.send(frame, frameLength(sampleRateHz));
      },
      clear: () => {
        if (isOpen()) this.clear();
      },
    };
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.clock.delete(this.tick);
    this.heard?.end();
    this.socket.close();
  }

  /** Frames of another length are cut to 20 ms. */
  private send(frame: Int16Array, frameSamples: number): void {
    if (frame.length === frameSamples && this.partial.length === 0) {
      this.sender.send(frame);
      return;
    }
    const all = new Int16Array(this.partial.length + frame.length);
    all.set(this.partial);
    all.set(frame, this.partial.length);
    let at = 0;
    for (; at + frameSamples <= all.length; at += frameSamples)
      this.sender.send(all.subarray(at, at + frameSamples));
    this.partial = all.slice(at);
  }

  private clear(): void {
    this.partial = new Int16Array(0);
    this.sender.clear();
  }

  private onTick({ nowMs, lost, isLate, behind }: MediaTick): void {
    if (nowMs - this.tickedAtMs > PAUSE_MS) this.receiver.restartSilence(nowMs);
    this.tickedAtMs = nowMs;
    this.sender.skip(isLate ? lost + 1 : lost);
    if (!isLate) this.sendPackets();
    const frame = this.receiver.nextFrame(behind);
    if (this.lineRateHz !== null) {
      this.heard?.pushSilence(lost, frameLength(this.lineRateHz));
      this.heard?.push(this.heardRate.convert(frame, frameLength(this.lineRateHz)));
    }
    if (this.audio !== null && nowMs - this.receiver.heardAtMs > this.silenceTimeoutMs) {
      this.receiver.restartSilence(nowMs);
      this.silenceTimeoutMs = this.nextSilenceTimeoutMs();
      this.options.onSilence?.();
    }
  }

  private sendPackets(): void {
    const destination = this.receiver.destination;
    const packets = this.sender.nextPackets();
    if (!destination || destination.port === 0) return;
    for (const packet of packets)
      if (this.gate.isOpen()) this.socket.send(packet, destination.port, destination.address);
  }

  private nextSilenceTimeoutMs(): number {
    const leastMs = this.options.silenceTimeoutMs ?? SILENCE_TIMEOUT_MS;
    return leastMs * (1 + Math.random() * SILENCE_SPREAD);
  }
}
