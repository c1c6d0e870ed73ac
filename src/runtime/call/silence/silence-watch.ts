import type { Clock } from '../../../common/time/clock.js';
import type { CallTermination } from '../state/call-termination.js';
import type { Silence } from './silence.js';

/** `person`: one speaks to the customer in place of the assistant; `transfer`: a person transfers the call. */
export type SilencePause = 'person' | 'transfer';

/**
 * Measures the silence of both sides: the time in which the assistant listens, and the customer neither speaks,
 * nor types, nor is on hold.
 */
export class SilenceWatch {
  private isAssistantBusy = false;
  private isCustomerSpeaking = false;
  private isLineHeld = false;
  private readonly pauses = new Set<SilencePause>();
  private isCounting: boolean;
  private sinceMs: number;
  /** Fires when something has changed. */
  private changed = new AbortController();

  /**
   * @param isTyping whether the customer is in the middle of entering something
   * @param isOnHold the customer waits for the outcome of a transfer, and hears nothing
   */
  constructor(
    private readonly silence: Silence,
    private readonly clock: Clock,
    private readonly isTyping: () => boolean,
    private isOnHold: boolean,
  ) {
    this.sinceMs = clock.nowMs();
    this.isCounting = this.isSilent;
  }

  /** The customer has said something, or pressed a key. */
  broken(): void {
    this.change(() => this.silence.break());
  }

  /** The assistant has spoken into the silence. */
  reengaged(): void {
    this.change(() => this.silence.reengaged());
  }

  assistantIs(state: 'listening' | 'busy'): void {
    this.change(() => (this.isAssistantBusy = state === 'busy'));
  }

  customerIs(state: 'speaking' | 'silent'): void {
    this.change(() => (this.isCustomerSpeaking = state === 'speaking'));
  }

  /** The far end has put the call on hold, or has resumed it; after a hold the silence is counted anew. */
  lineIs(state: 'held' | 'open'): void {
    this.change(() => {
      this.isLineHeld = state === 'held';
      this.silence.restart();
    });
  }

  /** Silence does not count; once nothing pauses it any more, it is counted anew. */
  pause(reason: SilencePause, isPaused: boolean): void {
    this.change(() => {
      if (isPaused) this.pauses.add(reason);
      else this.pauses.delete(reason);
      this.silence.restart();
    });
  }

  holdEnded(): void {
    this.change(() => (this.isOnHold = false));
  }

  /**
   * Returns when the silence has lasted so long that something is to be done.
   *
   * @throws CallEndedError at the end of the call
   */
  async next(termination: CallTermination): Promise<'end' | 'reengage'> {
    for (;;) {
      const { signal } = this.changed;
      await termination.wait(this.isCounting ? this.silence.remainingMs : Infinity, signal);
      this.count();
      const { due } = this.silence;
      if (due && this.isCounting) return due;
    }
  }

  private get isSilent(): boolean {
    const isBusy = this.isAssistantBusy || this.isCustomerSpeaking || this.isTyping();
    return !isBusy && !this.isOnHold && !this.isLineHeld && this.pauses.size === 0;
  }

  private change(change: () => void): void {
    this.count();
    change();
    this.isCounting = this.isSilent;
    this.changed.abort();
    this.changed = new AbortController();
  }

  private count(): void {
    const nowMs = this.clock.nowMs();
    if (this.isCounting) this.silence.pass(nowMs - this.sinceMs);
    this.sinceMs = nowMs;
  }
}
