import { Redis } from 'ioredis';
import type { Logger } from '../observability/logger.js';

const CONNECT_TIMEOUT_MS = 2_000;
/** A connection on which nothing comes for so long is opened anew. */
const DEAD_CONNECTION_MS = 5_000;
/** Redis that answers nothing at all for so long is away until it answers again. */
const SILENCE_MS = 500;
/** No command is waited for longer, even while others are answered. */
const MAX_WAIT_MS = 1_000;
const TICK_MS = 25;

interface Waiting {
  readonly askedAtMs: number;
  readonly abandon: () => void;
}

/**
 * A connection for counters, which are not worth waiting for: while Redis is away or silent there is no answer, at
 * once. Waiting is measured in the time this process could have read an answer: one whose event loop was blocked, or
 * which got no processor, finds the answers in its socket and does not take Redis for silent.
 */
export class LimitRedis {
  readonly connection: Redis;
  /** Oldest first. */
  private readonly waiting = new Set<Waiting>();
  private ticker: NodeJS.Timeout | null = null;
  private isSilent = false;
  /** A clock that pauses while the event loop is blocked. */
  private runningMs = 0;
  private tickedAtMs = 0;
  private heardAtMs = 0;

  constructor(url: string, logger: Logger) {
    this.connection = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      socketTimeout: DEAD_CONNECTION_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
    });
    this.logChanges(logger);
  }

  get isReady(): boolean {
    return this.connection.status === 'ready' && !this.isSilent;
  }

  /** The answer, or null when Redis is away. A command that is given up may still take effect. */
  ask<T>(command: () => Promise<T>): Promise<T | null> {
    if (!this.isReady) return Promise.resolve(null);
    this.startTicking();
    return new Promise((resolve) => {
      const abandon = () => resolve(null);
      const entry = { askedAtMs: this.runningMs, abandon };
      this.waiting.add(entry);
      void command()
        .then(resolve, abandon)
        .finally(() => {
          this.waiting.delete(entry);
          this.heardAtMs = this.runningMs;
          this.isSilent = false;
        });
    });
  }

  close(): void {
    this.connection.disconnect();
    this.stopTicking();
  }

  private startTicking(): void {
    if (this.ticker) return;
    this.tickedAtMs = performance.now();
    this.heardAtMs = this.runningMs;
    this.ticker = setInterval(() => this.tick(), TICK_MS).unref();
  }

  private stopTicking(): void {
    if (this.ticker) clearInterval(this.ticker);
    this.ticker = null;
  }

  private tick(): void {
    const nowMs = performance.now();
    this.runningMs += Math.min(nowMs - this.tickedAtMs, 2 * TICK_MS);
    this.tickedAtMs = nowMs;
    this.isSilent = this.runningMs - this.heardAtMs >= SILENCE_MS;
    for (const entry of this.waiting) {
      if (!this.isSilent && this.runningMs - entry.askedAtMs < MAX_WAIT_MS) break;
      entry.abandon();
    }
    if (this.waiting.size === 0) this.stopTicking();
  }

  private logChanges(logger: Logger): void {
    let isAway = false;
    this.connection.on('error', (error: Error) => {
      if (!isAway) logger.warn('rate limits count in memory: redis is away', { err: error });
      isAway = true;
    });
    this.connection.on('ready', () => {
      if (isAway) logger.info('rate limits count in redis again');
      isAway = false;
    });
  }
}
