import { ModelError } from './model-error.js';

/** Made once: without a reason of its own each abort would make an error with a stack. */
const CLOSED = new ModelError('aborted');

/**
 * One abort signal for the two reasons to give up on a turn, the caller's wish and the time limit,
 * and the memory of which came first.
 */
export class TurnDeadline {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private expiry: ModelError | null = null;
  private readonly onAbort = (): void =>
    this.expire(new ModelError('aborted', { cause: this.caller?.reason }));

  constructor(
    timeoutMs: number,
    private readonly caller?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.expire(new ModelError('timeout')), timeoutMs);
    if (caller?.aborted === true) this.onAbort();
    else caller?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the turn was given up; null while it was not. */
  get error(): ModelError | null {
    return this.expiry;
  }

  throwIfExpired(): void {
    if (this.expiry !== null) throw this.expiry;
  }

  /** Ends the turn for good: frees timer and listener, and cancels whatever still runs. */
  close(): void {
    clearTimeout(this.timer);
    this.caller?.removeEventListener('abort', this.onAbort);
    this.controller.abort(CLOSED);
  }

  private expire(error: ModelError): void {
    this.expiry ??= error;
    this.controller.abort(error);
  }
}
