import { EventQueue } from '../../../src/providers/telephony/event-queue.js';
import type { AudioLine, CallAudio, SampleRateHz } from '@prosa/audio';
import { noise } from '@prosa/testing';

interface SentFrame {
  readonly atMs: number;
  readonly frame: Int16Array;
}

/** One leg in real time, with a customer who says what a test tells them; keeps what they hear. */
export class TestLine implements AudioLine, CallAudio {
  readonly sent: SentFrame[] = [];
  cleared = 0;
  /** Of `performance.now()`: when the audio was opened. */
  openedAtMs = 0;
  private readonly queue = new EventQueue<Int16Array>();
  private readonly silence: Int16Array;
  private voice: Int16Array | null = null;
  private spokenAt = 0;
  private onSpoken: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;
  private frames = 0;

  constructor(readonly sampleRateHz: SampleRateHz = 8_000) {
    this.silence = noise(sampleRateHz, 1_000, 0.0006);
  }

  get heard(): AsyncIterable<Int16Array> {
    return this.queue;
  }

  async open(_callId: string, signal: AbortSignal): Promise<CallAudio> {
    this.openedAtMs = performance.now();
    this.timer = setInterval(() => this.tick(), 5);
    signal.addEventListener('abort', () => this.end(), { once: true });
    return this;
  }

  send(frame: Int16Array): void {
    this.sent.push({ atMs: performance.now() - this.openedAtMs, frame: frame.slice() });
  }

  clear(): void {
    this.cleared++;
  }

  end(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.queue.end();
  }

  /** The customer speaks; returns when they have finished, with the time since the opening. */
  async speak(samples: Int16Array): Promise<number> {
    await new Promise<void>((resolve) => {
      this.voice = samples;
      this.spokenAt = 0;
      this.onSpoken = resolve;
    });
    return this.nowMs;
  }

  get nowMs(): number {
    return performance.now() - this.openedAtMs;
  }

  /** What the customer heard between two moments. */
  between(fromMs: number, toMs = Infinity): Int16Array {
    const frames = this.sent.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
    const samples = new Int16Array(frames.length * (this.sampleRateHz / 50));
    frames.forEach(({ frame }, index) => samples.set(frame, index * frame.length));
    return samples;
  }

  /** When the customer heard something loud first, at or after a moment; null while there was nothing. */
  soundAfter(fromMs: number, threshold = 1_000): number | null {
    return this.sent.find(({ atMs, frame }) => atMs >= fromMs && isLoud(frame, threshold))?.atMs ?? null;
  }

  /** When the customer heard something loud last, before a moment. */
  lastSoundBefore(untilMs = Infinity, threshold = 1_000): number | null {
    return this.sent.findLast(({ atMs, frame }) => atMs < untilMs && isLoud(frame, threshold))?.atMs ?? null;
  }

  private tick(): void {
    const due = Math.floor(this.nowMs / 20);
    for (; this.frames < due; this.frames++) this.queue.push(this.nextFrame());
  }

  private nextFrame(): Int16Array {
    const length = this.sampleRateHz / 50;
    const at = (this.frames % 50) * length;
    const frame = this.silence.slice(at, at + length);
    if (!this.voice) return frame;
    frame.set(this.voice.subarray(this.spokenAt, this.spokenAt + length));
    this.spokenAt += length;
    if (this.spokenAt < this.voice.length) return frame;
    this.voice = null;
    this.onSpoken?.();
    return frame;
  }
}

function isLoud(frame: Int16Array, threshold: number): boolean {
  return frame.some((sample) => Math.abs(sample) > threshold);
}
