import { type CallAudio, type SampleRateHz } from '../../call-audio.js';
import type { LineClock } from '../../line-clock.js';
import { LineReader } from '../../line-reader.js';
import type { FarEnd } from './far-end.js';

/** As on the telephone. */
export const SANDBOX_RATE_HZ: SampleRateHz = 8_000;

/** Frames that came before the far end has heard them; more are a sender's that keeps no pace. */
const MAX_UNHEARD_FRAMES = 50;

/** The line between the platform and somebody at the far end of one call. */
export class SandboxLeg {
  private readonly unheard: Int16Array[] = [];
  private readonly reader = new LineReader();
  private stopTicking: (() => void) | null = null;
  /** Nobody talks with the far end here: they are on hold, or talk with somebody else. */
  isAway = false;

  constructor(
    private readonly farEnd: FarEnd,
    private readonly clock: LineClock,
  ) {}

  /** From the answer on. */
  start(): void {
    this.stopTicking ??= this.clock.add(() => this.tick());
  }

  /** Whoever opened it before hears no more. */
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

  private tick(): void {
    const heard = this.unheard.splice(0);
    const frame = this.isAway ? this.farEnd.wait() : this.farEnd.tick(heard);
    this.reader.push(frame);
  }
}
