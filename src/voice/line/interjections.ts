import { SampleQueue } from '../../common/audio/sample-queue.js';
import type { SampleSource } from '../audio/sample-source.js';

/** Plays short phrases in the pauses of another voice, which continues when they are over. */
export class Interjections implements SampleSource {
  private readonly phrase = new SampleQueue();
  private onOver: (() => void) | null = null;

  constructor(private readonly voice: SampleSource) {}

  get isPlaying(): boolean {
    return this.phrase.length > 0;
  }

  /** @param onOver hears when it is over, and not of one that was cut */
  play(samples: Int16Array, onOver: () => void): void {
    this.phrase.push(samples);
    this.onOver = onOver;
  }

  cut(): void {
    this.phrase.clear();
    this.onOver = null;
  }

  read(frame: Int16Array): number {
    if (!this.isPlaying) return this.voice.read(frame);
    const count = this.phrase.read(frame);
    if (this.phrase.length > 0) return count;
    this.onOver?.();
    this.onOver = null;
    return count;
  }
}
