import type { SampleSource } from '../audio/sample-source.js';

/** A sound that begins again when it is over. Many lines share the samples. */
export class LoopedSound implements SampleSource {
  private readonly samples: Int16Array;

  /**
   * @param gain 0 to 1, in amplitude
   * @param position of the first sample; different ones keep the lines of one process from sounding alike
   */
  constructor(
    samples: Int16Array,
    private readonly gain: number,
    private position = 0,
  ) {
    this.samples = samples.length > 0 ? samples : new Int16Array(1);
    this.position %= this.samples.length;
  }

  read(frame: Int16Array): number {
    for (let index = 0; index < frame.length; index++) {
      frame[index] = Math.round((this.samples[this.position] ?? 0) * this.gain);
      this.position = this.position + 1 === this.samples.length ? 0 : this.position + 1;
    }
    return frame.length;
  }
}
