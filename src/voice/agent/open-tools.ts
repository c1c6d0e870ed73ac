/** Every tool has a shorter time limit of its own; what does not keep to it is left. */
const OUTLAST_MS = 45_000;

/**
 * The tools that run in a session. Their work continues after the end of the call: a booking must not be interrupted.
 */
export class OpenTools {
  /** Resolves at the end of the call. */
  readonly callIsOver: Promise<null>;
  private readonly works = new Set<Promise<unknown>>();
  private readonly controller = new AbortController();

  /** @param over fires at the end of the call */
  constructor(over: AbortSignal) {
    this.callIsOver = new Promise((resolve) => {
      const end = () => {
        resolve(null);
        setTimeout(() => this.controller.abort(), OUTLAST_MS).unref();
      };
      if (over.aborted) end();
      else over.addEventListener('abort', end, { once: true });
    });
  }

  /** Ends them; long after the call. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** @param work never fails */
  add(work: Promise<unknown>): void {
    this.works.add(work);
    void work.then(() => this.works.delete(work));
  }

  /** Resolves when all that run now have answered; null where none does. */
  get done(): Promise<void> | null {
    return this.works.size === 0 ? null : Promise.all(this.works).then(() => undefined);
  }
}
