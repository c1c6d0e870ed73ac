import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import type { LiveChannel } from '../common/live/live-channel.js';
import type { JobNotifications } from './backend/job-notifications.js';

const CHANNEL = 'prosa_live';
const RETRY_MS = 1_000;

interface Notification {
  readonly channel: string;
  readonly payload?: string;
}

/**
 * NOTIFY, in a transaction of its own: in one that writes it would make all such commits wait for each other. Texts are
 * heard on the connection on which workers hear of jobs.
 */
export class PostgresLiveChannel implements LiveChannel {
  private isClosed = false;
  private isSubscribing = false;

  constructor(
    private readonly pool: Pool,
    private readonly notifications: JobNotifications,
  ) {}

  async publish(text: string): Promise<void> {
    await this.pool.query('SELECT pg_notify($1, $2)', [CHANNEL, text]);
  }

  listen(hear: (text: string) => void, onGap: () => void): void {
    this.notifications.on('notification', ({ channel, payload }: Notification) => {
      if (channel === CHANNEL && payload !== undefined) hear(payload);
    });
    this.notifications.on('lost', () => void this.subscribe(onGap));
    void this.subscribe(onGap);
  }

  close(): void {
    this.isClosed = true;
  }

  /** Retries until it works, also when the connection is lost again; health checks report a database that is away. */
  private async subscribe(onGap: () => void): Promise<void> {
    if (this.isSubscribing) return;
    this.isSubscribing = true;
    while (this.isSubscribing && !this.isClosed) {
      try {
        await this.notifications.query(`LISTEN ${CHANNEL}`);
        this.isSubscribing = false;
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
    if (!this.isClosed) onGap();
  }
}

/** Redis' own publish and subscribe; a connection that subscribes can do nothing else. */
export class RedisLiveChannel implements LiveChannel {
  private subscriber: Redis | null = null;

  constructor(private readonly redis: Redis) {}

  async publish(text: string): Promise<void> {
    // A command to a server that is away would wait for it.
    if (this.redis.status !== 'ready') throw new Error(`redis is ${this.redis.status}`);
    await this.redis.publish(CHANNEL, text);
  }

  listen(hear: (text: string) => void, onGap: () => void): void {
    const subscriber = this.redis.duplicate();
    this.subscriber = subscriber;
    // It connects and subscribes anew by itself.
    subscriber.on('error', () => undefined);
    subscriber.on('message', (_channel, text) => hear(text));
    subscriber.on('ready', () => {
      subscriber.subscribe(CHANNEL).then(onGap, () => undefined);
    });
  }

  close(): void {
    this.subscriber?.disconnect();
  }
}
