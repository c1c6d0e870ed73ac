import type { ForeignProcess } from './process.js';
import { Prosa } from './prosa.js';

/** The Prosa of all rows that need one; the first of them starts it. */
export class SharedProduct {
  private starting: Promise<Prosa> | null = null;

  get(): Promise<Prosa> {
    this.starting ??= Prosa.start();
    return this.starting;
  }

  /** What it runs in; nothing before it was started. */
  async processes(): Promise<ReadonlySet<ForeignProcess>> {
    const running = await this.running();
    return new Set(running ? [running.process] : []);
  }

  async stop(): Promise<void> {
    await (await this.running())?.stop();
  }

  private async running(): Promise<Prosa | null> {
    return (await this.starting?.catch(() => null)) ?? null;
  }
}
