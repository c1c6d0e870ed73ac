interface Reader<Event> {
  readonly resolve: (result: IteratorResult<Event, undefined>) => void;
  readonly reject: (error: unknown) => void;
}

/** Events pushed by one side and read by another at its own pace. Nothing is dropped. */
export class EventQueue<Event> implements AsyncIterableIterator<Event> {
  /** Called once: after the last event was pushed, when the reader leaves or the signal fires. */
  onClose: () => void = () => {};
  private readonly waiting: Event[] = [];
  private readonly readers: Reader<Event>[] = [];
  private readonly stop = () => this.end();
  private failure: { readonly error: unknown } | null = null;
  private closed = false;

  /** @param signal ends the queue; what waits in it is still read */
  constructor(private readonly signal?: AbortSignal) {
    if (signal?.aborted) this.end();
    else signal?.addEventListener('abort', this.stop, { once: true });
  }

  push(event: Event): void {
    if (this.closed) return;
    const reader = this.readers.shift();
    if (reader) reader.resolve({ value: event, done: false });
    else this.waiting.push(event);
  }

  end(): void {
    if (this.closed) return;
    this.close();
    for (const { resolve } of this.readers.splice(0)) resolve({ value: undefined, done: true });
  }

  /** The reader gets the error once it has read what waits. */
  fail(error: unknown): void {
    if (this.closed) return;
    this.close();
    const reader = this.readers.shift();
    if (reader) reader.reject(error);
    else this.failure = { error };
    for (const { resolve } of this.readers.splice(0)) resolve({ value: undefined, done: true });
  }

  async next(): Promise<IteratorResult<Event, undefined>> {
    const event = this.waiting.shift();
    if (event !== undefined) return { value: event, done: false };
    if (this.failure) {
      const { error } = this.failure;
      this.failure = null;
      throw error;
    }
    if (this.closed) return { value: undefined, done: true };
    return new Promise((resolve, reject) => this.readers.push({ resolve, reject }));
  }

  async return(): Promise<IteratorResult<Event, undefined>> {
    this.waiting.length = 0;
    this.end();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  private close(): void {
    this.closed = true;
    this.signal?.removeEventListener('abort', this.stop);
    this.onClose();
  }
}
