import { randomUUID } from 'node:crypto';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { TranscriptTurn } from '../../runtime/call/call-engine.js';
import { LeasedLine } from './leased-line.js';

/** A call that this process follows, as long as it holds its lease. */
export class HeldCall {
  readonly token = randomUUID();
  readonly line: LeasedLine;
  /** What has been said, for whoever adopts the call. */
  turns: TranscriptTurn[] = [];
  private readonly controller = new AbortController();

  constructor(
    readonly callId: number,
    carrier: CallCarrier,
  ) {
    this.line = new LeasedLine(carrier);
  }

  /** Fires when the call has been let go of. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isHeld(): boolean {
    return !this.controller.signal.aborted;
  }

  /** From now on nothing this process does for the call reaches the line. */
  letGo(): void {
    this.line.letGo();
    this.controller.abort();
  }
}
