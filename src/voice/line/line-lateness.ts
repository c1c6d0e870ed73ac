import { FRAME_MS } from '@prosa/audio';
import type { LineLatenessFigures } from '../../runtime/call/session/session-facts.js';

/** Sound that is late by more can be heard to be late. */
const LATE_MS = 60;
/** How much the far end's clock may run faster or slower than ours, in milliseconds a frame: 200 parts in a million. */
const DRIFT_MS = 0.004;

/**
 * Measures how late the sound of one line comes. The count of frames is the media time; the earliest frame shows when each of the
 * others was due.
 */
export class LineLateness {
  private heardFrames = 0;
  private earliestMs = Infinity;
  private lateFrames = 0;
  private maxMs = 0;
  private gapFrames = 0;

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /** The next frame of the far end has come. */
  heard(): void {
    const transitMs = this.nowMs() - ++this.heardFrames * FRAME_MS;
    this.earliestMs = Math.min(this.earliestMs + DRIFT_MS, transitMs);
    const lateMs = transitMs - this.earliestMs;
    if (lateMs <= LATE_MS) return;
    this.lateFrames++;
    this.maxMs = Math.max(this.maxMs, lateMs);
  }

  /** A frame of ours goes out. @param skipped frames before it that could not be sent in time */
  sent(skipped: number): void {
    this.gapFrames += skipped;
  }

  get figures(): LineLatenessFigures {
    const { lateFrames, gapFrames, maxMs } = this;
    return { lateMs: lateFrames * FRAME_MS, maxLateMs: Math.round(maxMs), gapMs: gapFrames * FRAME_MS };
  }
}
