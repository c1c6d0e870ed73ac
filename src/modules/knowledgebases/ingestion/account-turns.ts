/**
 * Which documents this process reads, of which account. An account has at most `maxOfAccount` of them; its other documents
 * wait here, and not in the queue, where documents of other accounts would wait behind them.
 */
export class AccountTurns {
  private readonly running = new Map<number, Set<number>>();
  private readonly waiting = new Map<number, Set<number>>();

  constructor(private readonly maxOfAccount: number) {}

  /** False when the document has to wait: `end` returns it later. A document that is read already waits for another reading. */
  begin(userId: number, documentId: number): boolean {
    const running = this.running.get(userId) ?? new Set();
    if (running.size >= this.maxOfAccount || running.has(documentId)) {
      this.waiting.set(userId, (this.waiting.get(userId) ?? new Set()).add(documentId));
      return false;
    }
    this.running.set(userId, running.add(documentId));
    return true;
  }

  /** Returns the document of the account that has waited longest; null when none waits. */
  end(userId: number, documentId: number): number | null {
    remove(this.running, userId, documentId);
    const [next] = this.waiting.get(userId) ?? [];
    if (next === undefined) return null;
    remove(this.waiting, userId, next);
    return next;
  }

  /** All documents that wait. */
  get waitingIds(): number[] {
    return [...this.waiting.values()].flatMap((ids) => [...ids]);
  }
}

function remove(sets: Map<number, Set<number>>, userId: number, documentId: number): void {
  const ids = sets.get(userId);
  ids?.delete(documentId);
  if (ids?.size === 0) sets.delete(userId);
}
