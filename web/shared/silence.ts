/** More than two heartbeats of the server: until then a stream may be quiet. */
const LONGEST_SILENCE_MS = 45_000;

/** Detects a dead stream on an open connection: an unplugged cable, a proxy that lost its state. */
export class Silence {
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param whenTooLong nothing has come for longer than a stream is quiet
   * @param longestMs how long that is, for streams without heartbeats
   */
  constructor(
    private readonly whenTooLong: () => void,
    private readonly longestMs = LONGEST_SILENCE_MS,
  ) {
    this.broken();
  }

  /** Something has come. */
  broken(): void {
    this.end();
    this.timer = setTimeout(this.whenTooLong, this.longestMs);
  }

  end(): void {
    clearTimeout(this.timer);
  }
}
