import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { type Turn, TurnsRepository } from './turns.repository.js';

/** A dead process frees its conversation after this long. */
export const LEASE_MS = 15_000;
const RENEW_MS = 5_000;

/** A running turn's lease on its conversation. */
export interface TurnLease {
  /** Fires when somebody has taken the conversation from the turn. */
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

  keep({ conversationId, token }: Pick<Turn, 'conversationId' | 'token'>): TurnLease {
    const lost = new AbortController();
    const stop = () => lost.abort(new Error('the conversation was taken from the turn'));
    const heartbeat = setInterval(() => {
      this.turns.renew(conversationId, token, LEASE_MS).then(
        (isKept) => {
          if (!isKept) stop();
        },
        (error: unknown) => this.logger.warn('turn lease not renewed', { err: error }),
      );
    }, RENEW_MS);
    this.running.set(conversationId, lost);
    return {
      signal: lost.signal,
      end: () => {
        clearInterval(heartbeat);
        if (this.running.get(conversationId) === lost) this.running.delete(conversationId);
      },
    };
  }

  /** Stops the turn of a conversation that was taken from it, if it runs in this process. */
  stop(conversationId: string): void {
    this.running.get(conversationId)?.abort(new Error('the conversation was taken from the turn'));
  }
}
