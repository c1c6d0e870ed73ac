import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { timeoutError } from '../../../common/time/timeout-signal.js';
import { type Turn, TurnsRepository } from './turns.repository.js';

/** A dead process frees its conversation after this long. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/** A running turn's lease on its conversation. */
export interface TurnLease {
  /** Fires when the turn has lost the conversation, and when its time is over. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Keeps the leases of this process's turns alive, and stops turns that have lost theirs. */
@Injectable()
export class TurnLeasesService {
  private readonly running = new Map<string, AbortController>();

  constructor(
    private readonly turns: TurnsRepository,
    private readonly logger: Logger,
  ) {}

  /** @param timeoutMs for the turn */
  keep({ conversationId, token }: Pick<Turn, 'conversationId' | 'token'>, timeoutMs: number): TurnLease {
    const turn = new AbortController();
    const stop = () => turn.abort(new Error('the conversation was taken from the turn'));
    // Cleared at the end: thousands of pending timers would keep their finished turns in memory.
    const timer = setTimeout(() => turn.abort(timeoutError()), timeoutMs);
    const heartbeat = setInterval(() => {
      this.turns.renew(conversationId, token, LEASE_MS).then(
        (isKept) => {
          if (!isKept) stop();
        },
        (error: unknown) => this.logger.warn('turn lease not renewed', { err: error }),
      );
    }, RENEW_MS);
    this.running.set(conversationId, turn);
    return {
      signal: turn.signal,
      end: () => {
        clearTimeout(timer);
        clearInterval(heartbeat);
        if (this.running.get(conversationId) === turn) this.running.delete(conversationId);
      },
    };
  }

  /** Stops the turn of a conversation that was taken from it, if it runs in this process. */
  stop(conversationId: string): void {
    this.running.get(conversationId)?.abort(new Error('the conversation was taken from the turn'));
  }
}
