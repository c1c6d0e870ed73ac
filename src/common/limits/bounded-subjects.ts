import { crc32 } from 'node:zlib';

const MAX_SUBJECTS = 50_000;
const SHARED_COUNTERS = 1_024;

/**
 * Bounds the number of counters. A subject seen in the current window has its own. When too many different ones come
 * within a window, newcomers share a few. A flood from ever new addresses thus cannot fill the memory.
 */
export class BoundedSubjects {
  /** Subject → when it is forgotten; in the order they were added, so the oldest come first. */
  private readonly forgottenAtMs = new Map<string, number>();

  constructor(
    private readonly windowMs: number,
    private readonly maxSubjects = MAX_SUBJECTS,
    private readonly sharedCounters = SHARED_COUNTERS,
  ) {}

  /** Name of the counter of a subject. */
  counterOf(subject: string, nowMs = performance.now()): string {
    this.forget(nowMs);
    if (this.forgottenAtMs.has(subject)) return subject;
    if (this.forgottenAtMs.size >= this.maxSubjects) return `shared-${crc32(subject) % this.sharedCounters}`;
    this.forgottenAtMs.set(subject, nowMs + this.windowMs);
    return subject;
  }

  private forget(nowMs: number): void {
    for (const [subject, atMs] of this.forgottenAtMs) {
      if (atMs > nowMs) return;
      this.forgottenAtMs.delete(subject);
    }
  }
}
