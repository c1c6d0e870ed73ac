import type { Clock } from '../../common/time/clock.js';
import type { TransferOutcome } from '../../providers/telephony/call-carrier.js';
import type { CallTermination } from './call-termination.js';
import type { Silence } from './silence.js';

/** What the assistant has to react to. `back`: a transfer that another process began has failed. */
export type InboxItem =
  | { readonly type: 'machine' | 'reengage' }
  | { readonly type: 'back'; readonly outcome: TransferOutcome }
  | { readonly type: 'customer'; readonly text: string };

/** Gathers what happens on the line until the assistant listens. */
export class TurnInbox {
  /** What the customer has said and nobody has answered. */
  private readonly unanswered: string[] = [];
  private machineAwaitsMessage = false;
  private brokenTransfer: TransferOutcome | null = null;
  /** Fires when there is something to react to. */
  private stirred = new AbortController();

  /**
   * @param isTyping whether the customer is in the middle of entering something
   * @param isOnHold the customer waits for the outcome of a transfer, and hears nothing
   */
  constructor(
    private readonly termination: CallTermination,
    private readonly silence: Silence,
    private readonly clock: Clock,
    private readonly isTyping: () => boolean,
    private isOnHold: boolean,
  ) {}

  customerSaid(text: string): void {
    this.silence.break();
    this.unanswered.push(text);
    this.stir();
  }

  customerPressed(): void {
    this.silence.break();
    this.stir();
  }

  /** What the machine itself has said is nothing to answer. */
  machineDetected(): void {
    this.machineAwaitsMessage = true;
    this.unanswered.length = 0;
    this.stir();
  }

  /** Nothing unless the customer was on hold. */
  transferFailed(outcome: TransferOutcome): void {
    if (!this.isOnHold) return;
    this.isOnHold = false;
    this.brokenTransfer = outcome;
    this.stir();
  }

  /**
   * Listens. Only here does the customer's silence count.
   *
   * @throws CallOver
   */
  async next(): Promise<InboxItem> {
    for (;;) {
      this.termination.check();
      const item = this.waiting();
      if (item) return item;
      const silenceCounts = !this.isOnHold && !this.isTyping();
      const { signal: stirred } = this.stirred;
      const sinceMs = this.clock.nowMs();
      await this.termination.wait(silenceCounts ? this.silence.remainingMs : Infinity, stirred);
      if (stirred.aborted || !silenceCounts) continue;
      this.silence.pass(this.clock.nowMs() - sinceMs);
      const { due } = this.silence;
      if (due === 'end') this.termination.finish('silence');
      else if (due === 'reengage') return { type: 'reengage' };
    }
  }

  private waiting(): InboxItem | null {
    if (this.isOnHold) return null;
    if (this.machineAwaitsMessage) {
      this.machineAwaitsMessage = false;
      return { type: 'machine' };
    }
    if (this.brokenTransfer) {
      const outcome = this.brokenTransfer;
      this.brokenTransfer = null;
      return { type: 'back', outcome };
    }
    const text = this.unanswered.splice(0).join(' ');
    return text === '' ? null : { type: 'customer', text };
  }

  private stir(): void {
    this.stirred.abort();
    this.stirred = new AbortController();
  }
}
