/** The least of so many numbers in a row: what comes and goes in between does not count. */
export class LeastOf {
  private least = Infinity;
  private count = 0;

  constructor(private readonly window: number) {}

  /** @returns the least of the last window where this number completes one; otherwise 0 */
  add(value: number): number {
    this.least = Math.min(this.least, value);
    if (++this.count < this.window) return 0;
    const { least } = this;
    this.least = Infinity;
    this.count = 0;
    return least;
  }
}
