import { Injectable } from '@nestjs/common';

/** Work other than requests that a shutdown waits for. */
export interface Drain {
  /** What the work is, such as `calls`. */
  readonly name: string;
  /** How much of it is under way in this process. */
  inProgress(): number;
  /** Accepts no more work, and waits for the work under way. Returns how much was cut off when the time was over. */
  drain(timeoutMs: number): Promise<number>;
}

/** Modules join with their drains, so that boot and health reach these without importing the modules. */
@Injectable()
export class DrainRegistry {
  private readonly drains: Drain[] = [];

  add(drain: Drain): void {
    this.drains.push(drain);
  }

  /** How much work of that name is under way in this process. */
  inProgress(name: string): number {
    return this.drains
      .filter((drain) => drain.name === name)
      .reduce((sum, drain) => sum + drain.inProgress(), 0);
  }

  /** Drains everything at once. Returns by name how much was cut off. */
  async drainAll(timeoutMs: number): Promise<ReadonlyMap<string, number>> {
    const cut = await Promise.all(
      this.drains.map(async (drain) => [drain.name, await drain.drain(timeoutMs)] as const),
    );
    const sums = new Map<string, number>();
    for (const [name, count] of cut) sums.set(name, (sums.get(name) ?? 0) + count);
    return sums;
  }
}
