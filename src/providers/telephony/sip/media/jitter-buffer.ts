import { FRAME_TICKS, RTP_CLOCK_HZ } from './codec/audio-codec.js';

const TICKS_PER_MS = RTP_CLOCK_HZ / 1_000;
/** About a second; a power of two, so that positions wrap cheaply. */
const RING_TICKS = 8_192;
/** Over so many frames the buffer must have been too full before a frame is skipped. */
const SHRINK_AFTER_FRAMES = 50;

export interface JitterBufferOptions {
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
}

export interface JitterBufferCounts {
  /** Frames that were played as they came. */
  played: number;
  /** Frames that were not there when they were due. */
  missing: number;
  /** Packets that came after their time. */
  late: number;
  duplicate: number;
  /** Frames left out to catch up. */
  skipped: number;
}

/**
 * Puts a stream into its order and plays it 20 to 100 ms later, by how unevenly it comes (RFC 3550 §6.4.1 estimates that).
 * It works on one value for each tick of the RTP clock, so packets of any length do, and repeated ones do no harm. What the
 * values mean is not its business: octets are decoded behind it, as some decoders need them in their order.
 */
export class JitterBuffer {
  readonly counts: JitterBufferCounts = { played: 0, missing: 0, late: 0, duplicate: 0, skipped: 0 };
  private readonly values = new Int16Array(RING_TICKS);
  private readonly filled = new Uint8Array(RING_TICKS);
  private readonly minDelay: number;
  private readonly maxDelay: number;
  /** Timestamps without wrapping; null before the first packet. */
  private newestEnd: number | null = null;
  private playAt = 0;
  private playing = false;
  private waitedTicks = 0;
  private jitter = 0;
  private lastTransit: number | null = null;
  private penalty = 0;
  private leastDepth = Infinity;
  private framesSeen = 0;

  constructor(options: JitterBufferOptions = {}) {
    this.minDelay = (options.minDelayMs ?? 20) * TICKS_PER_MS;
    this.maxDelay = (options.maxDelayMs ?? 100) * TICKS_PER_MS;
  }

  /** How long values wait, as aimed at now. */
  get targetDelayMs(): number {
    return this.target / TICKS_PER_MS;
  }

  /** What waits now, in milliseconds. */
  get depthMs(): number {
    return this.newestEnd === null ? 0 : Math.max(this.newestEnd - this.playAt, 0) / TICKS_PER_MS;
  }

  /** @param timestamp of the first value, as in the packet */
  put(timestamp: number, values: Int16Array, nowMs: number): void {
    if (values.length === 0 || values.length > RING_TICKS / 4) return;
    const start = this.unwrap(timestamp);
    this.measure(start, nowMs);
    if (this.newestEnd === null || Math.abs(start - this.playAt) > RING_TICKS - values.length)
      this.restart(start);
    // The first packets of a stream may come in the wrong order as well.
    if (!this.playing && start < this.playAt) this.playAt = start;
    if (start + values.length <= this.playAt && !this.beginAgain(start)) return;
    if (this.filled[start & (RING_TICKS - 1)] && start >= this.playAt) {
      this.counts.duplicate++;
      return;
    }
    for (let index = Math.max(this.playAt - start, 0); index < values.length; index++) {
      const at = (start + index) & (RING_TICKS - 1);
      this.values[at] = values[index] ?? 0;
      this.filled[at] = 1;
    }
    this.newestEnd = Math.max(this.newestEnd ?? start, start + values.length);
    if (this.newestEnd - this.playAt > this.maxDelay + FRAME_TICKS * 2)
      this.skipTo(this.newestEnd - this.target);
  }

  /** The next 20 ms; null where they are missing. To be called every 20 ms. */
  take(): Int16Array | null {
    if (this.newestEnd === null) return null;
    if (!this.playing && !this.begin()) return null;
    this.shrink(this.newestEnd - this.playAt);
    const frame = new Int16Array(FRAME_TICKS);
    let present = 0;
    for (let index = 0; index < FRAME_TICKS; index++) {
      const at = (this.playAt + index) & (RING_TICKS - 1);
      present += this.filled[at] ?? 0;
      frame[index] = this.filled[at] ? (this.values[at] ?? 0) : 0;
      this.filled[at] = 0;
    }
    this.playAt += FRAME_TICKS;
    if (present < FRAME_TICKS) {
      this.counts.missing++;
      return null;
    }
    this.counts.played++;
    return frame;
  }

  /** Forgets all: another stream begins. */
  reset(): void {
    this.filled.fill(0);
    this.newestEnd = null;
    this.playing = false;
    this.lastTransit = null;
  }

  private get target(): number {
    const wanted = this.minDelay + 3 * this.jitter + this.penalty;
    return Math.min(Math.max(wanted, this.minDelay), this.maxDelay);
  }

  private begin(): boolean {
    this.waitedTicks += FRAME_TICKS;
    const depth = (this.newestEnd ?? this.playAt) - this.playAt;
    if (depth < this.target && this.waitedTicks < this.target) return false;
    this.playing = true;
    this.waitedTicks = 0;
    return true;
  }

  /** RFC 3550 §A.8, in ticks. */
  private measure(start: number, nowMs: number): void {
    const transit = nowMs * TICKS_PER_MS - start;
    if (this.lastTransit !== null) {
      const difference = Math.min(Math.abs(transit - this.lastTransit), this.maxDelay * 2);
      this.jitter += (difference - this.jitter) / 16;
    }
    this.lastTransit = transit;
  }

  /**
   * A packet missed its time: later ones wait longer from now on. Where nothing else is there to be played, it is played
   * from here.
   */
  private beginAgain(start: number): boolean {
    this.counts.late++;
    this.penalty = Math.min(this.penalty + FRAME_TICKS / 2, this.maxDelay);
    if (this.newestEnd !== null && this.newestEnd > this.playAt) return false;
    this.restart(start);
    return true;
  }

  /** After a second that was fuller than need be, one frame is left out: the peer's clock runs faster, or the net is calm. */
  private shrink(depth: number): void {
    this.leastDepth = Math.min(this.leastDepth, depth);
    if (++this.framesSeen < SHRINK_AFTER_FRAMES) return;
    this.penalty *= 0.9;
    const isTooFull = this.leastDepth > this.target + FRAME_TICKS;
    this.leastDepth = Infinity;
    this.framesSeen = 0;
    if (isTooFull) this.skipTo(this.playAt + FRAME_TICKS);
  }

  private skipTo(position: number): void {
    const to = Math.floor(position);
    for (let at = this.playAt; at < to; at++) this.filled[at & (RING_TICKS - 1)] = 0;
    this.counts.skipped += Math.round((to - this.playAt) / FRAME_TICKS);
    this.playAt = Math.max(to, this.playAt);
  }

  private restart(start: number): void {
    this.filled.fill(0);
    this.playing = false;
    this.waitedTicks = 0;
    this.newestEnd = start;
    this.playAt = start;
  }

  /** Timestamps have 32 bits and begin anywhere. */
  private unwrap(timestamp: number): number {
    if (this.newestEnd === null) return timestamp;
    const difference = (timestamp - (this.newestEnd % 2 ** 32)) | 0;
    return this.newestEnd + difference;
  }
}
