/** Counts what is going on at the same time, by subject. */
export class ConcurrentUse {
  private readonly counts = new Map<string, number>();

  /**
   * Enters for each subject, or for none of them.
   *
   * @param limits how much may go on at once, by subject
   * @returns what is to be called once at the end; null when a limit is reached
   */
  tryEnter(limits: ReadonlyMap<string, number>): (() => void) | null {
    for (const [subject, limit] of limits) {
      if ((this.counts.get(subject) ?? 0) >= limit) return null;
    }
    for (const subject of limits.keys()) this.add(subject, 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      for (const subject of limits.keys()) this.add(subject, -1);
    };
  }

  private add(subject: string, difference: number): void {
    const count = (this.counts.get(subject) ?? 0) + difference;
    if (count > 0) this.counts.set(subject, count);
    else this.counts.delete(subject);
  }
}
