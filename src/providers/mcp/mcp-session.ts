import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

/**
 * A session with a server, which calls may share. Closing a client ends the calls that are under way on it: so a session that
 * is given up is closed when its last call has ended.
 */
export class McpSession {
  private callsUnderWay = 0;
  private isClosing = false;

  /** @param client connected, or about to be */
  constructor(private readonly client: Promise<Client>) {}

  /** @throws what the connection failed with, and what `work` throws */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    this.callsUnderWay++;
    try {
      return await work(await this.client);
    } finally {
      this.callsUnderWay--;
      this.closeIfUnused();
    }
  }

  /** Called when no request will start to use the session any more. */
  closeWhenIdle(): void {
    this.isClosing = true;
    this.closeIfUnused();
  }

  private closeIfUnused(): void {
    if (!this.isClosing || this.callsUnderWay > 0) return;
    void this.client.then(
      (client) => client.close(),
      // It never came to be.
      () => undefined,
    );
  }
}
