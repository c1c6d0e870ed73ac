import { FRAME_MS } from '@prosa/audio';

/** Half a second at 16 values a millisecond; a power of two, so that positions wrap cheaply. */
const RING_VALUES = 8_192;
/** Over so many frames the buffer must have been too full before a frame is skipped. */
const SHRINK_AFTER_FRAMES = 50;
const MIN_DELAY_MS = 20;
const MAX_DELAY_MS = 100;

/** What one value of a stream is. */
export interface StreamScale {
  readonly valuesPerMs: number;
  /** Ticks of the RTP clock from one value to the next. */
  readonly ticksPerValue: number;
}

/** An octet for each tick of a clock of 8 kHz, as G.711 and G.722 have it. */
export const OCTET_SCALE: StreamScale = { valuesPerMs: 8, ticksPerValue: 1 };

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
 * It works on single values, so packets of any length do, and repeated ones do no harm. What the values mean is not its business:
 * octets of G.711 and G.722 are decoded behind it, samples of Opus before.
 */
export class JitterBuffer {
  readonly counts: JitterBufferCounts = { played: 0, missing: 0, late: 0, duplicate: 0, skipped: 0 };
  private readonly values = new Int16Array(RING_VALUES);
  private readonly filled = new Uint8Array(RING_VALUES);
  private scale = OCTET_SCALE;
  /** Timestamps without wrapping; null before the first packet. */
  private newestEnd: number | null = null;
  private playAt = 0;
  private playing = false;
  private waited = 0;
  private jitter = 0;
  private lastTransit: number | null = null;
  private penalty = 0;
  private leastDepth = Infinity;
  private framesSeen = 0;

  constructor(private readonly options: JitterBufferOptions = {}) {}

  /** How long values wait, as aimed at now. */
  get targetDelayMs(): number {
    return this.target / this.scale.valuesPerMs;
  }

  /** What waits now, in milliseconds. */
  get depthMs(): number {
    return this.newestEnd === null ? 0 : Math.max(this.newestEnd - this.playAt, 0) / this.scale.valuesPerMs;
  }

  /** @param timestamp of the first value, as in the packet */
  put(timestamp: number, values: Int16Array, nowMs: number): void {
    if (values.length === 0 || values.length > RING_VALUES / 4) return;
    const start = this.unwrap(timestamp);
    this.measure(start, nowMs);
    if (this.newestEnd === null || Math.abs(start - this.playAt) > RING_VALUES - values.length)
      this.restart(start);
    // The first packets of a stream may come in the wrong order as well.
    if (!this.playing && start < this.playAt) this.playAt = start;
    if (start + values.length <= this.playAt && !this.beginAgain(start)) return;
    if (this.filled[start & (RING_VALUES - 1)] && start >= this.playAt) {
      this.counts.duplicate++;
      return;
    }
    for (let index = Math.max(this.playAt - start, 0); index < values.length; index++) {
      const at = (start + index) & (RING_VALUES - 1);
      this.values[at] = values[index] ?? 0;
      this.filled[at] = 1;
    }
    this.newestEnd = Math.max(this.newestEnd ?? start, start + values.length);
  }

  /**
   * The next 20 ms; null where they are missing. To be called every 20 ms.
   *
   * @param behind how many frames after this one are due now: what waits for them is not too much
   */
  take(behind = 0): Int16Array | null {
    if (this.newestEnd === null) return null;
    if (!this.playing && !this.begin()) return null;
    if (this.newestEnd - this.playAt > this.maxDelay + this.frameValues * (2 + behind))
      this.skipTo(this.newestEnd - this.target - this.frameValues * behind);
    this.shrink(this.newestEnd - this.playAt);
    const { frameValues } = this;
    const frame = new Int16Array(frameValues);
    let present = 0;
    for (let index = 0; index < frameValues; index++) {
      const at = (this.playAt + index) & (RING_VALUES - 1);
      present += this.filled[at] ?? 0;
      frame[index] = this.filled[at] ? (this.values[at] ?? 0) : 0;
      this.filled[at] = 0;
    }
    this.playAt += frameValues;
    if (present < frameValues) {
      this.counts.missing++;
      return null;
    }
    this.counts.played++;
    return frame;
  }

  /** Forgets all: another stream begins, of another scale where one is given. */
  reset(scale: StreamScale = this.scale): void {
    if (scale !== this.scale) {
      this.scale = scale;
      this.jitter = 0;
      this.penalty = 0;
    }
    this.filled.fill(0);
    this.newestEnd = null;
    this.playing = false;
    this.lastTransit = null;
  }

  private get frameValues(): number {
    return FRAME_MS * this.scale.valuesPerMs;
  }

  private get minDelay(): number {
    return (this.options.minDelayMs ?? MIN_DELAY_MS) * this.scale.valuesPerMs;
  }

  private get maxDelay(): number {
    return (this.options.maxDelayMs ?? MAX_DELAY_MS) * this.scale.valuesPerMs;
  }

  private get target(): number {
    const wanted = this.minDelay + 3 * this.jitter + this.penalty;
    return Math.min(Math.max(wanted, this.minDelay), this.maxDelay);
  }

  private begin(): boolean {
    this.waited += this.frameValues;
    const depth = (this.newestEnd ?? this.playAt) - this.playAt;
    if (depth < this.target && this.waited < this.target) return false;
    this.playing = true;
    this.waited = 0;
    return true;
  }

  /** RFC 3550 §A.8, in values. */
  private measure(start: number, nowMs: number): void {
    const transit = nowMs * this.scale.valuesPerMs - start;
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
    this.penalty = Math.min(this.penalty + this.frameValues / 2, this.maxDelay);
    if (this.newestEnd !== null && this.newestEnd > this.playAt) return false;
    this.restart(start);
    return true;
  }

  /** After a second that was fuller than need be, one frame is left out: the peer's clock runs faster, or the net is calm. */
  private shrink(depth: number): void {
    this.leastDepth = Math.min(this.leastDepth, depth);
    if (++this.framesSeen < SHRINK_AFTER_FRAMES) return;
    this.penalty *= 0.9;
    const isTooFull = this.leastDepth > this.target + this.frameValues;
    this.leastDepth = Infinity;
    this.framesSeen = 0;
    if (isTooFull) this.skipTo(this.playAt + this.frameValues);
  }

  private skipTo(position: number): void {
    const to = Math.floor(position);
    for (let at = this.playAt; at < to; at++) this.filled[at & (RING_VALUES - 1)] = 0;
    this.counts.skipped += Math.round((to - this.playAt) / this.frameValues);
    this.playAt = Math.max(to, this.playAt);
  }

  private restart(start: number): void {
    this.filled.fill(0);
    this.playing = false;
    this.waited = 0;
    this.newestEnd = start;
    this.playAt = start;
  }

  /** The place of a value. Timestamps have 32 bits and begin anywhere. */
  private unwrap(timestamp: number): number {
    const { ticksPerValue } = this.scale;
    if (this.newestEnd === null) return Math.floor(timestamp / ticksPerValue);
    const difference = (timestamp - ((this.newestEnd * ticksPerValue) % 2 ** 32)) | 0;
    return this.newestEnd + Math.floor(difference / ticksPerValue);
  }
}
