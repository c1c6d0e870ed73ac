import { type CancelTimer, Clock } from '../../../common/time/clock.js';
import type { CallEvent } from '../../../providers/telephony/call/carrier-call.js';
import type { CallEndedBy } from '../session/call-setup.js';

/** Thrown in all current work when the call is over. */
export class CallEndedError extends Error {
  override readonly name = 'CallEndedError';
}

/** The end of a call, which comes once, from whichever side; and waiting that heeds it. */
export class CallTermination {
  private readonly controller = new AbortController();
  private ending: { readonly by: CallEndedBy; readonly error: unknown } | null = null;

  constructor(private readonly clock: Clock) {}

  /** Fires at the end. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isOver(): boolean {
    return this.ending !== null;
  }

  get end(): { readonly by: CallEndedBy; readonly error: unknown } {
    return this.ending ?? { by: 'failed', error: null };
  }

  /** Only the first end counts. */
  finish(by: CallEndedBy, error: unknown = null): void {
    if (this.ending) return;
    this.ending = { by, error };
    this.controller.abort();
  }

  /** @throws CallEndedError */
  check(): void {
    if (this.isOver) throw new CallEndedError();
  }

  /**
   * Waits for a time, for one of the signals, or for the end.
   *
   * @throws CallEndedError at the end
   */
  async wait(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
    this.check();
    await waitOn(this.clock, ms, this.signal, ...signals);
    this.check();
  }
}

/** Waits for a time of the clock, or for one of the signals; Infinity waits for the signals alone. */
export async function waitOn(clock: Clock, ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  const signal = AbortSignal.any([...signals]);
  if (signal.aborted) return;
  let cancel: CancelTimer = () => {};
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (ms !== Infinity) cancel = clock.after(ms, resolve);
  });
  cancel();
}

/** Reads the events of a call to their end, or to the end of the call's termination. */
export async function readEvents(
  events: AsyncIterator<CallEvent>,
  termination: CallTermination,
  onEvent: (event: CallEvent) => void,
): Promise<void> {
  try {
    while (!termination.isOver) {
      const { done, value } = await events.next();
      if (done) return termination.finish('failed', new Error('The line fell silent without an end.'));
      if (!termination.isOver) onEvent(value);
    }
  } catch (error) {
    termination.finish('failed', error);
  }
}
