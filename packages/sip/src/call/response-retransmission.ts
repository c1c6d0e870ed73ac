import type { CancelTimer, Clock } from '../clock.js';
import { type SipTimers, transactionTimeoutMs } from '../transaction/sip-timers.js';

export interface RetransmissionPlan {
  /** The longest wait between two; null: it doubles on and on. */
  readonly longestWaitMs: number | null;
  readonly resend: () => void;
  /** Nothing came in 64 times T1. */
  readonly onTimeout: () => void;
}

/**
 * Sends a response again until something of the peer confirms it: a 2xx until its ACK (RFC 3261 §13.3.1.4), a reliable
 * provisional response until its PRACK (RFC 3262 §3).
 */
export class ResponseRetransmission {
  private cancelResend: CancelTimer = () => {};
  private readonly cancelTimeout: CancelTimer;

  constructor(
    private readonly clock: Clock,
    timers: SipTimers,
    private readonly plan: RetransmissionPlan,
  ) {
    this.cancelTimeout = clock.after(transactionTimeoutMs(timers), () => {
      this.cancelResend();
      plan.onTimeout();
    });
    this.resendAfter(timers.t1Ms);
  }

  stop(): void {
    this.cancelResend();
    this.cancelTimeout();
  }

  private resendAfter(waitMs: number): void {
    this.cancelResend = this.clock.after(waitMs, () => {
      this.plan.resend();
      this.resendAfter(Math.min(waitMs * 2, this.plan.longestWaitMs ?? Infinity));
    });
  }
}
