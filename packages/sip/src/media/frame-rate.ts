import { frameRateHz, Resampler } from '@prosa/audio';

/** Gives frames of 20 ms the length that is wanted; a codec may change within a call, and the rate of its line may not. */
export class FrameRate {
  private resampler: Resampler | null = null;

  convert(frame: Int16Array, toSamples: number): Int16Array {
    if (frame.length === toSamples) return frame;
    const [fromHz, toHz] = [frameRateHz(frame.length), frameRateHz(toSamples)];
    if (this.resampler?.fromHz !== fromHz || this.resampler.toHz !== toHz)
      this.resampler = new Resampler(fromHz, toHz);
    return this.resampler.process(frame);
  }
}
