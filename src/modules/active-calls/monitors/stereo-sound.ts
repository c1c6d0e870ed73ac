import { FRAME_MS, frameLength, Resampler, rmsOf } from '@prosa/audio';
import { lineClock, type LineClock } from '../../../providers/telephony/line-clock.js';
import { WaitingFrames } from '../../../providers/telephony/waiting-frames.js';

export const MONITOR_SAMPLE_RATE_HZ = 24_000;
/** Of one side. */
const FRAME_SAMPLES = frameLength(MONITOR_SAMPLE_RATE_HZ);
/** Sound that came late waits until it is heard; of more than this the oldest is dropped. */
const MOST_WAITING_FRAMES = 500 / FRAME_MS;
/** With more than these waiting, silent frames are left out until what came late has been made up for. */
const MANY_WAITING_FRAMES = 5;
/** Below it a frame is silent, 0 to 1. */
const SILENT_LEVEL = 0.01;
const BYTES_PER_SAMPLE = 2;

/** The sound of one direction of a line, at the rate of listeners. */
class Side {
  private readonly waiting = new WaitingFrames(FRAME_SAMPLES, MOST_WAITING_FRAMES);
  private resampler: Resampler | null = null;

  push(frame: Int16Array, sampleRateHz: number): void {
    if (this.resampler?.fromHz !== sampleRateHz)
      this.resampler = new Resampler(sampleRateHz, MONITOR_SAMPLE_RATE_HZ);
    this.waiting.push(this.resampler.process(frame));
  }

  /** The next frame; undefined where none has come. */
  shift(): Int16Array | undefined {
    for (;;) {
      const frame = this.waiting.shift();
      if (!frame || this.waiting.length < MANY_WAITING_FRAMES || rmsOf(frame) >= SILENT_LEVEL) return frame;
    }
  }

  clear(): void {
    this.waiting.clear();
    this.resampler = null;
  }
}

/**
 * Both directions of a line as one stream of stereo frames, at the pace of real time: left the customer, right what the customer
 * hears. It takes copies of the frames, and only while it is started.
 */
export class StereoSound {
  private readonly customer = new Side();
  private readonly ours = new Side();
  private remove: (() => void) | null = null;

  /** @param onFrame takes 20 ms of interleaved PCM16 little-endian */
  constructor(
    private readonly onFrame: (frame: Buffer) => void,
    private readonly clock: LineClock = lineClock,
  ) {}

  get isOn(): boolean {
    return this.remove !== null;
  }

  start(): void {
    this.remove ??= this.clock.add(() => this.onFrame(this.nextFrame()));
  }

  stop(): void {
    this.remove?.();
    this.remove = null;
    this.customer.clear();
    this.ours.clear();
  }

  heard(frame: Int16Array, sampleRateHz: number): void {
    if (this.isOn) this.customer.push(frame, sampleRateHz);
  }

  sent(frame: Int16Array, sampleRateHz: number): void {
    if (this.isOn) this.ours.push(frame, sampleRateHz);
  }

  private nextFrame(): Buffer {
    const [left, right] = [this.customer.shift(), this.ours.shift()];
    const bytes = Buffer.alloc(FRAME_SAMPLES * 2 * BYTES_PER_SAMPLE);
    for (let index = 0; index < FRAME_SAMPLES; index++) {
      const at = index * 2 * BYTES_PER_SAMPLE;
      bytes.writeInt16LE(left?.[index] ?? 0, at);
      bytes.writeInt16LE(right?.[index] ?? 0, at + BYTES_PER_SAMPLE);
    }
    return bytes;
  }
}
