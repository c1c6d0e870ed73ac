import type { WebSocket } from 'ws';
import { type CallAudio, frameLength } from '@prosa/audio';
import { WaitingFrames } from '../../waiting-frames.js';
import type { LineClock } from '../../line-clock.js';
import { LineReader } from '../../line-reader.js';
import { DtmfTone, decodeG711, encodeG711, G711_SAMPLE_RATE_HZ } from '@prosa/sip';
import { clearMessage, mediaMessage, streamMessageOf } from './media-stream-protocol.js';

const FRAME_SAMPLES = frameLength(G711_SAMPLE_RATE_HZ);
/** Sound that came late waits until it is heard; of more than this the oldest is dropped. */
const MAX_WAITING_FRAMES = 50;
/** Frames gathered after a gap, so that the next late message makes none. */
const CUSHION_FRAMES = 3;
/** Sound that the network does not take: some seconds of base64. */
const MAX_UNSENT_BYTES = 100_000;
/** Of a key, and of the silence behind it: the least that every exchange understands, twice over. */
const TONE_FRAMES = 6;
const GAP_FRAMES = 4;
/** `w` is half a second. */
const PAUSE_FRAMES = 25;
const KEYS = /^[\d*#]$/;

export interface TwilioLegListener {
  onKey(digit: string): void;
  /** Twilio has ended the stream, or its connection is broken, and no other is expected. */
  onGone(): void;
}

interface Stream {
  readonly socket: WebSocket;
  readonly sid: string;
}

/**
 * The audio of one call over its Media Stream: frames at the pace of our clock, silence where none came. Another
 * stream may replace it without a break for the reader.
 */
export class TwilioLeg {
  private stream: Stream | null = null;
  private away: { readonly timer: NodeJS.Timeout; readonly back: () => void } | null = null;
  /** When nothing but this stream is expected, or the leg is over. */
  private returned: Promise<void> = Promise.resolve();
  private readonly waiting = new WaitingFrames(FRAME_SAMPLES, MAX_WAITING_FRAMES);
  private readonly tones: (Int16Array | null)[] = [];
  private readonly reader = new LineReader();
  private isFilling = true;
  private isOver = false;
  private readonly stopTicking: () => void;

  constructor(
    private readonly listener: TwilioLegListener,
    clock: LineClock,
  ) {
    this.stopTicking = clock.add((skipped) => this.tick(skipped));
  }

  /** A stream of the call has begun. The one before is of no more use. */
  attach(socket: WebSocket, sid: string): void {
    const before = this.stream;
    const stream = { socket, sid };
    this.stream = stream;
    this.settle();
    before?.socket.close(1000);
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary && this.stream === stream) this.receive(data.toString('utf8'));
    });
    socket.once('close', () => this.left(stream));
  }

  /** No more audio is read or written. */
  get isClosed(): boolean {
    return this.isOver;
  }

  /** Resolves when no other stream is expected any more. */
  async untilBack(): Promise<void> {
    while (this.away) await this.returned;
  }

  /** The stream is about to end, and another to follow it: until then there is silence. @param ms when that is hopeless */
  expectAnother(ms: number): void {
    this.settle();
    this.returned = new Promise((back) => {
      this.away = { timer: setTimeout(() => this.expectNoOther(), ms), back };
    });
  }

  /** No other stream will follow: the present stream continues, or the leg is over. */
  expectNoOther(): void {
    this.settle();
    if (!this.stream) this.gone();
  }

  /** The previous reader hears no more. */
  open(signal: AbortSignal): CallAudio {
    return this.reader.open(
      {
        sampleRateHz: G711_SAMPLE_RATE_HZ,
        // Keys replace speech of the same time.
        send: (frame) => {
          if (this.tones.length === 0) this.play(frame);
        },
        clear: () => this.sendMessage(clearMessage),
      },
      this.isOver ? AbortSignal.abort() : signal,
    );
  }

  /** Plays keys as tones in the sound: the stream has no message for them. */
  playTones(digits: string): void {
    for (const digit of digits.toUpperCase()) {
      if (digit === 'W') {
        this.tones.push(...silence(PAUSE_FRAMES));
        continue;
      }
      const tone = new DtmfTone(G711_SAMPLE_RATE_HZ);
      for (let at = 0; at < TONE_FRAMES; at++) this.tones.push(tone.nextFrame(digit));
      this.tones.push(...silence(GAP_FRAMES));
    }
  }

  /** Closing the stream lets Twilio go on behind it, where nothing is: it hangs up. */
  close(): void {
    const { stream } = this;
    this.gone();
    stream?.socket.close(1000);
  }

  private tick(skipped: number): void {
    this.reader.pushSilence(skipped, FRAME_SAMPLES);
    if (this.isFilling && this.waiting.length >= CUSHION_FRAMES) this.isFilling = false;
    const frame = this.isFilling ? undefined : this.waiting.shift();
    if (!frame) this.isFilling = true;
    this.reader.push(frame ?? new Int16Array(FRAME_SAMPLES));
    const tone = this.tones.shift();
    if (tone !== undefined) this.play(tone ?? new Int16Array(FRAME_SAMPLES));
  }

  private receive(text: string): void {
    const message = streamMessageOf(text);
    if (message?.event === 'media') this.hear(message.media.payload);
    else if (message?.event === 'dtmf' && KEYS.test(message.dtmf.digit)) {
      this.listener.onKey(message.dtmf.digit);
    } else if (message?.event === 'stop' && this.stream) this.left(this.stream);
  }

  private hear(payload: string): void {
    this.waiting.push(decodeG711('PCMU', Buffer.from(payload, 'base64')));
  }

  private play(frame: Int16Array): void {
    const bytes = new Uint8Array(frame.length);
    encodeG711('PCMU', frame, bytes);
    this.sendMessage((streamSid) => mediaMessage(streamSid, bytes));
  }

  private sendMessage(messageOf: (streamSid: string) => string): void {
    if (this.isOver || !this.stream) return;
    const { socket, sid } = this.stream;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate();
    else socket.send(messageOf(sid));
  }

  private left(stream: Stream): void {
    if (this.stream !== stream) return;
    this.stream = null;
    if (this.away === null) this.gone();
  }

  private settle(): void {
    const { away } = this;
    this.away = null;
    if (away) clearTimeout(away.timer);
    away?.back();
  }

  private gone(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.settle();
    this.stopTicking();
    this.reader.end();
    this.listener.onGone();
  }
}

function silence(frames: number): null[] {
  return Array.from({ length: frames }, () => null);
}
