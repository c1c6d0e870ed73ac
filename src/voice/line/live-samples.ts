import { rmsOf } from '@prosa/audio';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import type { SampleSource } from '../audio/sample-source.js';

/** What may wait, in milliseconds: sound that was late is heard late. More than that is too late to talk by. */
const MOST_WAITING_MS = 500;
/** What is left of it then: enough for the next frames to come in time. */
const KEPT_MS = 40;
/** With more than this waiting, pauses are left out until it has been made up for. */
const LATE_MS = 100;
/** Below it a frame is a pause, 0 to 1. */
const SILENT_LEVEL = 0.01;

/** Sound on its way from one live line to another. What came late is made up for in the pauses; it never falls far behind. */
export class LiveSamples implements SampleSource {
  private readonly waiting = new SampleQueue();

  constructor(private readonly sampleRateHz: number) {}

  get length(): number {
    return this.waiting.length;
  }

  push(samples: Int16Array): void {
    this.waiting.push(samples);
    const { length } = this.waiting;
    if (length > this.samplesOf(MOST_WAITING_MS)) this.waiting.skip(length - this.samplesOf(KEPT_MS));
  }

  read(frame: Int16Array): number {
    for (;;) {
      const count = this.waiting.read(frame);
      if (this.waiting.length <= this.samplesOf(LATE_MS) || rmsOf(frame) >= SILENT_LEVEL) return count;
    }
  }

  private samplesOf(ms: number): number {
    return (this.sampleRateHz * ms) / 1_000;
  }
}
