import type { CancelTimer, Clock } from '../clock.js';
import type { SipEndpoint } from '../transport/sip-endpoint.js';
import type { SipTimers } from './sip-timers.js';

/** What transactions need of the layers around them. */
export interface TransactionContext {
  readonly clock: Clock;
  readonly timers: SipTimers;
  /**
   * @param callId of the message: nothing is sent any more of calls that were abandoned
   * @throws SipTransportError
   */
  send(bytes: Buffer, endpoint: SipEndpoint, callId: string): Promise<void>;
  /** Sends a response to where its request came from. */
  respond(bytes: Buffer, topVia: string, source: SipEndpoint, callId: string): void;
  onRetransmission(): void;
  /** No answer came to a request of this method; see SipTransport. */
  onUnanswered(method: string, endpoint: SipEndpoint, silentMs: number): void;
}

/** The named timers of one transaction: setting one that runs restarts it. */
export class TimerSet<Name extends string> {
  private readonly running = new Map<Name, CancelTimer>();

  constructor(private readonly clock: Clock) {}

  set(name: Name, delayMs: number, callback: () => void): void {
    this.clear(name);
    const cancel = this.clock.after(delayMs, () => {
      this.running.delete(name);
      callback();
    });
    this.running.set(name, cancel);
  }

  clear(...names: readonly Name[]): void {
    for (const name of names) {
      this.running.get(name)?.();
      this.running.delete(name);
    }
  }

  clearAll(): void {
    for (const cancel of this.running.values()) cancel();
    this.running.clear();
  }
}
