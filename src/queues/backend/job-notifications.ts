import { EventEmitter } from 'node:events';
import type { PostgresConnection } from 'bullmq';
import type { Client } from 'pg';
import { STATEMENT_TIMEOUT_MS, WatchedClient } from '../../database/outages/watched-client.js';

/** A connection as BullMQ wants to see it; it does not export the name. */
export type ListenClient = Awaited<ReturnType<PostgresConnection['getListenClient']>>;

/**
 * The one connection on which all workers of a process hear of new jobs, and the process of changes. BullMQ would
 * keep one for each worker; the channel is the same for all of them. A lost connection is opened anew for the next
 * waiter.
 *
 * Emits `notification` for each message, and `lost` with its connection.
 */
export class JobNotifications extends EventEmitter {
  private opening: Promise<Client> | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(private readonly databaseUrl: string) {
    super();
    // Each worker listens while it waits.
    this.setMaxListeners(0);
  }

  /** Rejects when the database cannot be reached. */
  async open(): Promise<ListenClient> {
    await this.client();
    return this;
  }

  /** One statement after the other, as the driver asks. */
  query<Row>(text: string, parameters?: readonly unknown[]): Promise<{ rows: Row[] }> {
    const result = this.last.then(async () => {
      const { rows } = await (await this.client()).query(text, parameters ? [...parameters] : []);
      return { rows: rows as Row[] };
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const client = await this.opening?.catch(() => null);
    await client?.end();
  }

  private client(): Promise<Client> {
    if (this.isClosed) return Promise.reject(new Error('the job queue is closed'));
    this.opening ??= this.connect();
    return this.opening;
  }

  private async connect(): Promise<Client> {
    const client = new WatchedClient({
      connectionString: this.databaseUrl,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // A connection that is lost silently is noticed within seconds, not hours.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 10_000,
      application_name: 'prosa-jobs-listener',
    });
    client.on('notification', (message) => this.emit('notification', message));
    try {
      await client.connect();
    } catch (error) {
      this.opening = null;
      throw error;
    }
    // One that was never open is not lost: its waiters get the error above. Its end may come after the next one has
    // begun.
    client.on('end', () => this.lose());
    return client;
  }

  private lose(): void {
    this.opening = null;
    if (!this.isClosed) this.emit('lost');
  }
}
