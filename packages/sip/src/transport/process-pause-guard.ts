import type { CancelTimer, Clock } from '../clock.js';

/** Whether anything may be sent, signalling or sound. */
export interface SendGate {
  /** At this very moment; asked directly before each packet. */
  isOpen(): boolean;
  /** Resolves once it is open. */
  whenOpen(): Promise<void>;
}

export const OPEN_GATE: SendGate = { isOpen: () => true, whenOpen: () => Promise.resolve() };

/**
 * A process that was paused for longer may have lost its calls. Well below their leases of 15 s, which are renewed
 * every 5 s: after a shorter pause it still has them.
 */
const BOUND_MS = 5_000;
const BEAT_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * Closes the gate of everything that is sent after the process was paused: stopped by a signal, or its machine paused
 * or asleep. Another process may have taken the calls over in the meantime. A packet of this one would reach far ends
 * that talk with the other. The gate opens again when it is known which calls are still ours.
 *
 * Time is measured from the last beat or the last packet, also where a packet is about to be sent before any timer
 * has run. The monotonic clock stops while a machine sleeps (`CLOCK_MONOTONIC`, clock_gettime(2)), so the calendar is
 * read too. A calendar change costs no more than a needless check. A pause that stops both clocks, as of a virtual
 * machine, is not detected.
 */
export class ProcessPauseGuard implements SendGate {
  private cancelBeat: CancelTimer = () => undefined;
  private lastMs = 0;
  private lastDateMs = 0;
  private doubts = 0;
  private opening: Promise<void> | null = null;
  private isWatching = false;

  /**
   * @param confirm finds out which calls are still this process's, and gives up the rest. Repeated after a second
   *   when it rejects or the process was paused again
   */
  constructor(
    private readonly clock: Clock,
    private readonly confirm: () => Promise<void>,
    private readonly boundMs = BOUND_MS,
  ) {}

  /** From now on; before, the gate is open. */
  watch(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.note();
    this.beat();
  }

  /** Nothing is sent any more that could be held back. */
  unwatch(): void {
    this.isWatching = false;
    this.cancelBeat();
  }

  /** Closes the gate until it is known what is still this process's, as after a standstill. */
  doubt(): void {
    this.doubts++;
    // Not before the gate is seen to be closed.
    this.opening ??= Promise.resolve().then(() => this.ask());
  }

  isOpen(): boolean {
    this.look();
    return this.opening === null;
  }

  async whenOpen(): Promise<void> {
    while (!this.isOpen()) await this.opening;
  }

  private beat(): void {
    this.cancelBeat = this.clock.after(BEAT_MS, () => {
      this.look();
      this.beat();
    });
  }

  private look(): void {
    if (!this.isWatching) return;
    const { lastMs, lastDateMs } = this;
    this.note();
    if (Math.max(this.lastMs - lastMs, this.lastDateMs - lastDateMs) > this.boundMs) this.doubt();
  }

  private note(): void {
    this.lastMs = this.clock.nowMs();
    this.lastDateMs = this.clock.date().getTime();
  }

  /** An answer counts if there was no doubt since the question. */
  private async ask(): Promise<void> {
    for (let isKnown = false; !isKnown;) {
      const asked = this.doubts;
      isKnown = await this.confirm().then(
        () => true,
        () => false,
      );
      this.look();
      if (!isKnown) await new Promise<void>((resolve) => void this.clock.after(RETRY_MS, resolve));
      isKnown &&= asked === this.doubts;
    }
    this.opening = null;
  }
}
