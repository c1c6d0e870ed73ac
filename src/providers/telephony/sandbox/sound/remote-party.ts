import { FRAME_MS, frameLength, toInt16 } from '@prosa/audio';
import { SampleQueue } from '#src/common/audio/sample-queue.js';
import { street } from './line-sounds.js';

/** Says the lines of the remote party, at the line's rate. */
export type SayLine = (text: string) => Promise<Int16Array>;

export interface RemotePartySetup {
  readonly sampleRateHz: number;
  readonly say: SayLine;
  /** They end the call; may be called again while it ends. */
  onHangUp(): void;
}

/**
 * A person, or a machine, at the far end of a call in sound, from the answer on. Frames are its clock: each `tick` is
 * 20 ms of its life, in which it hears what came over the line and says its own frame.
 */
export abstract class RemoteParty {
  private readonly mouth = new SampleQueue();
  /** Lines that are to be said and are still being rendered. */
  private coming = 0;
  private background: Int16Array | null = null;
  private backgroundAt = 0;
  private alarm: { readonly atMs: number; readonly deed: () => void } | null = null;
  protected nowMs = 0;

  constructor(protected readonly setup: RemotePartySetup) {}

  /** @returns what is heard of the far end in these 20 ms */
  tick(heard: readonly Int16Array[]): Int16Array {
    this.nowMs += FRAME_MS;
    const { alarm } = this;
    if (alarm && alarm.atMs <= this.nowMs) {
      this.alarm = null;
      alarm.deed();
    }
    this.live(heard);
    return this.frame();
  }

  /** Time passes in which we do not talk with them: they are on hold, or talk with another party. */
  wait(): Int16Array {
    return this.frame();
  }

  protected abstract live(heard: readonly Int16Array[]): void;

  /** Whether they speak or press keys, or are about to. */
  protected get isSounding(): boolean {
    return this.coming > 0 || this.mouth.length > 0;
  }

  protected play(samples: Int16Array): void {
    this.mouth.push(samples);
  }

  protected pause(ms: number): void {
    this.mouth.push(new Int16Array(frameLength(this.setup.sampleRateHz) * Math.round(ms / FRAME_MS)));
  }

  /** Says a line, and then does what comes after it. */
  protected say(text: string, then: () => void = () => {}): void {
    this.coming++;
    void this.setup.say(text).then((samples) => {
      this.coming--;
      this.play(samples);
      then();
    });
  }

  /** Does something after a while; what was to be done before is not done. */
  protected after(ms: number, deed: () => void): void {
    this.alarm = { atMs: this.nowMs + ms, deed };
  }

  protected standInStreet(): void {
    this.background = street(this.setup.sampleRateHz);
  }

  private frame(): Int16Array {
    const frame = new Int16Array(frameLength(this.setup.sampleRateHz));
    this.mouth.read(frame);
    const { background } = this;
    if (!background) return frame;
    for (let index = 0; index < frame.length; index++) {
      frame[index] = toInt16((frame[index] ?? 0) + (background[this.backgroundAt] ?? 0));
      this.backgroundAt = (this.backgroundAt + 1) % background.length;
    }
    return frame;
  }
}
