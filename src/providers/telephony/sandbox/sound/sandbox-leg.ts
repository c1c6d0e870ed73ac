import type { CallAudio, SampleRateHz } from '@prosa/audio';
import type { LineClock } from '../../line-clock.js';
import { LineReader } from '../../line-reader.js';
import type { RemoteParty } from './remote-party.js';

/** As on the telephone. */
export const SANDBOX_RATE_HZ: SampleRateHz = 8_000;

/** Frames that came before the far end has heard them; more are a sender's that keeps no pace. */
const MAX_UNHEARD_FRAMES = 50;
/** Frames that the far end lives through at once after this process was held up: ten seconds. */
const MAX_MADE_UP_FRAMES = 500;

/** The line between the platform and the remote party of one call. */
export class SandboxLeg {
  private readonly unheard: Int16Array[] = [];
  private readonly reader = new LineReader();
  private stopTicking: (() => void) | null = null;
  /** We do not talk with the far end: they are on hold, or talk with another party. */
  isAway = false;

  constructor(
    private readonly farEnd: RemoteParty,
    private readonly clock: LineClock,
  ) {}

  /** From the answer on. */
  start(): void {
    this.stopTicking ??= this.clock.add((skipped) => this.tick(skipped));
  }

  /** An earlier reader receives no more. */
  open(signal: AbortSignal): CallAudio {
    const { unheard } = this;
    return this.reader.open(
      {
        sampleRateHz: SANDBOX_RATE_HZ,
        send: (frame) => {
          if (unheard.push(frame.slice()) > MAX_UNHEARD_FRAMES) unheard.shift();
        },
        clear: () => {
          unheard.length = 0;
        },
      },
      signal,
    );
  }

  end(): void {
    this.stopTicking?.();
    this.stopTicking = null;
    this.reader.end();
  }

  /** The far end has its own time: what it said while this process was held up is late, and whole. */
  private tick(skipped: number): void {
    for (let missed = Math.min(skipped, MAX_MADE_UP_FRAMES); missed > 0; missed--) this.live();
    this.live();
  }

  private live(): void {
    const heard = this.unheard.splice(0);
    const frame = this.isAway ? this.farEnd.wait() : this.farEnd.tick(heard);
    this.reader.push(frame);
  }
}
