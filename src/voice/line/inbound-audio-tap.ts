import { type CallAudio, KeypadDetector, Resampler } from '@prosa/audio';
import { BeepDetector } from '../../common/audio/beep-detector.js';

/** Changes the sound of a line on its way to the engine: its rate, and its noise. */
export interface SoundFilter {
  process(samples: Int16Array): Int16Array;
}

export interface InboundAudioTapListener {
  /** Each frame as it came, for a recording. */
  onFrame(frame: Int16Array): void;
  /** The same for the engine, at its rate and without its noise; silence while the ears are covered. */
  onSound(samples: Int16Array): void;
  /** A key, where the line carries them as tones. The engine hears silence in their place. */
  onKey(key: string): void;
}

/** Listens to one leg for as long as it lasts. */
export class InboundAudioTap {
  private readonly filter: SoundFilter;
  private readonly beep: BeepDetector;
  private readonly keys: KeypadDetector | null;
  private covered = false;
  private onBeep: (() => void) | null = null;

  constructor(
    private readonly audio: CallAudio,
    toHz: number,
    suppressor: SoundFilter | null,
    private readonly listener: InboundAudioTapListener,
    hearsKeys: boolean,
  ) {
    this.filter = suppressor ?? new Resampler(audio.sampleRateHz, toHz);
    this.beep = new BeepDetector(audio.sampleRateHz);
    this.keys = hearsKeys ? new KeypadDetector(audio.sampleRateHz) : null;
  }

  /** Returns when the leg has ended. */
  async listen(): Promise<void> {
    for await (const frame of this.audio.heard) {
      this.listener.onFrame(frame);
      if (this.onBeep && this.beep.hear(frame)) this.onBeep();
      const key = this.keys?.hear(frame) ?? null;
      if (key !== null) this.listener.onKey(key);
      const heard = this.covered || this.keys?.isTone ? new Int16Array(frame.length) : frame;
      this.listener.onSound(this.filter.process(heard));
    }
  }

  /** What is heard from now on goes only to the recording. */
  cover(covered: boolean): void {
    this.covered = covered;
  }

  /** Calls back after each beep of an answering machine, until the returned function is called. */
  awaitBeep(onBeep: () => void): () => void {
    this.onBeep = onBeep;
    return () => {
      this.onBeep = null;
    };
  }
}
