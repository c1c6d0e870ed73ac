/** Why work was given up: its time was over, or its caller has cancelled it. */
export type DeadlineReason = 'timeout' | 'aborted';

/** Made once: a new one for each piece of work takes longer, with its stack, than all else that ends it. */
const OVER = new DOMException('The work is over.', 'AbortError');

/**
 * One abort signal for the two reasons to give up on work: the caller's wish and the time limit. It remembers which
 * came first. Close it when the work is over.
 */
export class Deadline<Reason extends Error> {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private expiry: Reason | null = null;
  private readonly onAbort = (): void => this.expire(this.errorOf('aborted', this.caller?.reason));

  /**
   * @param timeoutMs real milliseconds
   * @param caller gives up earlier when it fires
   * @param errorOf makes the error that the work ends with
   */
  constructor(
    timeoutMs: number,
    private readonly caller: AbortSignal | undefined,
    private readonly errorOf: (reason: DeadlineReason, cause?: unknown) => Reason,
  ) {
    this.timer = setTimeout(() => this.expire(errorOf('timeout')), timeoutMs);
    if (caller?.aborted === true) this.onAbort();
    else caller?.addEventListener('abort', this.onAbort, { once: true });
  }

  /** Fires with the error when the work is given up, and when the deadline is closed. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the work was given up; null while it was not. */
  get error(): Reason | null {
    return this.expiry;
  }

  /** Waits for work that does not look at the signal at all times. @throws the error when the work is given up first */
  async race<T>(work: Promise<T>): Promise<T> {
    let onExpiry: () => void = () => undefined;
    const expired = new Promise<never>((_resolve, reject) => {
      onExpiry = () => reject(this.expiry ?? new Error('the deadline is closed'));
      if (this.signal.aborted) onExpiry();
      else this.signal.addEventListener('abort', onExpiry, { once: true });
    });
    try {
      return await Promise.race([work, expired]);
    } finally {
      this.signal.removeEventListener('abort', onExpiry);
    }
  }

  /** Frees timer and listener, and cancels work that still runs. */
  close(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.onAbort);
    this.controller.abort(OVER);
  }

  private expire(error: Reason): void {
    this.expiry ??= error;
    this.controller.abort(error);
  }
}
