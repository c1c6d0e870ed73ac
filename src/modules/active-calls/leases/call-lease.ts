import { randomUUID } from 'node:crypto';
import type { CallLine } from '../../../providers/telephony/call/call-line.js';
import { LiveTurns } from '../live-turns.js';
import { CallFeed } from '../monitors/call-feed.js';
import { LeaseGuardedLine } from './lease-guarded-line.js';

/** A dead process frees its calls after this long. */
export const LEASE_MS = 15_000;

/** A call that this process monitors, as long as it holds its lease. */
export class CallLease {
  readonly token = randomUUID();
  readonly line: LeaseGuardedLine;
  /** The turns so far, for a process that adopts the call. */
  readonly turns = new LiveTurns();
  /** For the people who listen to it. */
  readonly feed = new CallFeed();
  /** The carrier's id of the call, once it is monitored. */
  carrierCallId: string | null = null;
  /** The carrier's ids of the second legs that were placed for the call. */
  readonly secondLegs: string[] = [];
  private readonly controller = new AbortController();
  private lapsesAtMs = performance.now() + LEASE_MS;

  constructor(
    readonly callId: number,
    /** Its name. */
    readonly carrier: string,
    line: CallLine,
    /** No assistant talks on it. */
    public isWithoutAssistant = false,
  ) {
    this.line = new LeaseGuardedLine(
      line,
      () => this.isHeld,
      (audio) => this.feed.tap(audio),
    );
    if (!isWithoutAssistant) this.feed.gate.expect();
  }

  /**
   * Fires when the call is released: it is over here, with all its records written, or another process may have it.
   */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /**
   * By this process's own clock, which advances while the process is suspended. A process that resumes after its
   * lease has lapsed must not use the line, as another process may have the call by then.
   */
  get isHeld(): boolean {
    return !this.controller.signal.aborted && performance.now() < this.lapsesAtMs;
  }

  /** @param askedAtMs when the database was asked, by `performance.now()` */
  renewed(askedAtMs: number): void {
    this.lapsesAtMs = askedAtMs + LEASE_MS;
  }

  /** From now on nothing this process does for the call reaches the line. */
  release(): void {
    this.controller.abort();
    this.feed.end(null);
  }
}
