/** More than two heartbeats of the server: until then a stream may be quiet. */
const LONGEST_SILENCE_MS = 45_000;

/** Notices that a stream is dead though its connection stands: a cable that is pulled, a proxy that forgets. */
export class Silence {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param whenTooLong nothing has come for longer than a stream is quiet */
  constructor(private readonly whenTooLong: () => void) {
    this.broken();
  }

  /** Something has come. */
  broken(): void {
    this.end();
    this.timer = setTimeout(this.whenTooLong, LONGEST_SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
