import { SampleQueue } from '../../common/audio/sample-queue.js';
import type { SampleSource } from './line-mixer.js';

/** What may wait, in milliseconds; more than that is sound that comes too late to talk by. */
const MOST_WAITING_MS = 120;
/** What is left of it then: enough for the next frames to come in time. */
const KEPT_MS = 40;

/** Sound on its way from one live line to another. It never falls behind: of a backlog the oldest is left out. */
export class LiveSamples implements SampleSource {
  private readonly waiting = new SampleQueue();

  constructor(private readonly sampleRateHz: number) {}

  push(samples: Int16Array): void {
    this.waiting.push(samples);
    const { length } = this.waiting;
    if (length > this.samplesOf(MOST_WAITING_MS)) this.waiting.skip(length - this.samplesOf(KEPT_MS));
  }

  read(frame: Int16Array): number {
    return this.waiting.read(frame);
  }

  private samplesOf(ms: number): number {
    return (this.sampleRateHz * ms) / 1_000;
  }
}
