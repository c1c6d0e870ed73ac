import { FRAME_MS, Resampler } from '@prosa/audio';
import type { SampleSource } from '../audio/sample-source.js';
import { LiveSamples } from './live-samples.js';

/** So many frames of 20 ms of the line wait before sound begins: they make up for frames that come late. */
const CUSHION_FRAMES = 60 / FRAME_MS;

/** The sound of a person who speaks to the customer, between the network and the line. What waits is bounded. */
export class PersonSound implements SampleSource {
  private readonly resampler: Resampler;
  private readonly waiting: LiveSamples;
  private waitedFrames = 0;
  private isPlaying = false;

  /**
   * @param fromHz of what is pushed
   * @param lineRateHz of what is read
   */
  constructor(fromHz: number, lineRateHz: number) {
    this.resampler = new Resampler(fromHz, lineRateHz);
    this.waiting = new LiveSamples(lineRateHz);
  }

  push(samples: Int16Array): void {
    this.waiting.push(this.resampler.process(samples));
  }

  read(frame: Int16Array): number {
    if (this.waiting.length === 0) this.isPlaying = false;
    else if (!this.isPlaying) this.fill(frame.length);
    return this.isPlaying ? this.waiting.read(frame) : 0;
  }

  /** The end of what was said is shorter than the cushion, and is not kept back. */
  private fill(frameSamples: number): void {
    const isFull = this.waiting.length >= CUSHION_FRAMES * frameSamples;
    this.waitedFrames = isFull ? 0 : (this.waitedFrames + 1) % CUSHION_FRAMES;
    this.isPlaying = isFull || this.waitedFrames === 0;
  }
}
