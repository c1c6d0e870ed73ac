import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Response } from 'express';
import { Logger } from '../observability/logger.js';
import { Authenticator } from './authenticator.js';
import type { Principal } from './principal.js';

const CHECK_MS = 1_500;

/**
 * Ends event streams, and sockets of people who listen to calls, with the tokens that they were opened with. The database is asked for all streams of this process
 * at once, so a token may end in any process, by a command, or because its time is over.
 */
@Injectable()
export class StreamAccessService implements OnApplicationShutdown {
  private readonly streams = new Map<object, { readonly caller: Principal; readonly end: () => void }>();
  private timer: NodeJS.Timeout | null = null;
  private isChecking = false;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly logger: Logger,
  ) {}

  /** Ends the answer when the caller's token ends, or its rights change. The reader may connect again with those of now. */
  watch(caller: Principal, response: Response): void {
    if (response.destroyed) return;
    response.once(
      'close',
      this.onEnd(caller, () => response.end()),
    );
  }

  /**
   * The same for what is no answer.
   *
   * @param end called once
   * @returns ends the watch
   */
  onEnd(caller: Principal, end: () => void): () => void {
    const stream = {};
    this.streams.set(stream, { caller, end });
    this.timer ??= setInterval(() => void this.check(), CHECK_MS).unref();
    return () => void this.streams.delete(stream);
  }

  onApplicationShutdown(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private async check(): Promise<void> {
    if (this.isChecking || this.streams.size === 0) return;
    this.isChecking = true;
    try {
      const ended = new Set(
        await this.authenticator.findEnded([...this.streams.values()].map(({ caller }) => caller)),
      );
      for (const [stream, { caller, end }] of this.streams) {
        if (!ended.has(caller)) continue;
        this.streams.delete(stream);
        end();
      }
    } catch (err) {
      // The next check comes soon; without the database no hints are written either.
      this.logger.warn('tokens of event streams not checked', { err });
    } finally {
      this.isChecking = false;
    }
  }
}
