import type { DatabaseSession } from './database-session.js';

/** A session that is opened when it is first needed, and anew when it was lost. */
export class KeptSession {
  private opening: Promise<DatabaseSession> | null = null;

  constructor(private readonly open: () => Promise<DatabaseSession>) {}

  /** Rejects when the session cannot be opened; the next call tries again. */
  async get(): Promise<DatabaseSession> {
    for (;;) {
      const opening = (this.opening ??= this.open());
      try {
        const session = await opening;
        if (!session.isLost()) return session;
      } catch (error) {
        if (this.opening === opening) this.opening = null;
        throw error;
      }
      if (this.opening === opening) this.opening = null;
    }
  }

  async close(): Promise<void> {
    const session = await this.opening?.catch(() => null);
    this.opening = null;
    await session?.close();
  }
}
