/** Throttle: runs at once, and then at most once per interval. */
export class Paced {
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isAsked = false;

  constructor(
    private readonly leastApartMs: number,
    private readonly act: () => void,
  ) {}

  run(): void {
    this.isAsked = true;
    if (this.timer === null) this.next();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.isAsked = false;
  }

  private next(): void {
    this.timer = null;
    if (!this.isAsked) return;
    this.isAsked = false;
    this.timer = setTimeout(() => this.next(), this.leastApartMs);
    this.act();
  }
}
