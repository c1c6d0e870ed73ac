import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { QueuedCallsService } from '../../active-calls/queue/queued-calls.service.js';

const LOOK_MS = 1_000;

/** A call of this process whose caller waits. */
export interface WaitingCall {
  /** @param position among the callers of its number, from 1 */
  onPlace(position: number): void;
  /** Tries to have an assistant talk on it. False while that is not possible. Never fails. */
  tryToServe(): Promise<boolean>;
}

/** Looks once a second how the waiting calls of this process stand, and serves those whose turn it is. */
@Injectable()
export class QueuePlacesService implements OnModuleDestroy {
  private readonly waiting = new Map<number, WaitingCall>();
  private timer: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(
    private readonly queued: QueuedCallsService,
    private readonly logger: Logger,
  ) {}

  onModuleDestroy(): void {
    this.isClosed = true;
    if (this.timer) clearTimeout(this.timer);
  }

  /** @returns a function that ends it */
  follow(callId: number, call: WaitingCall): () => void {
    this.waiting.set(callId, call);
    this.lookLater();
    return () => {
      // This process may have lost the call and adopted it again.
      if (this.waiting.get(callId) === call) this.waiting.delete(callId);
    };
  }

  private lookLater(): void {
    if (this.timer || this.isClosed || this.waiting.size === 0) return;
    this.timer = setTimeout(() => {
      void this.look().finally(() => {
        this.timer = null;
        this.lookLater();
      });
    }, LOOK_MS);
  }

  /** Never fails. */
  private async look(): Promise<void> {
    try {
      const places = await this.queued.placesOf([...this.waiting.keys()]);
      const byAccount = new Map<number, number[]>();
      for (const { callId, userId, position } of places) {
        this.waiting.get(callId)?.onPlace(position);
        byAccount.set(userId, [...(byAccount.get(userId) ?? []), callId]);
      }
      await Promise.all([...byAccount.values()].map((callIds) => this.serveInOrder(callIds)));
    } catch (err) {
      this.logger.warn('waiting calls not looked at', { err });
    }
  }

  private async serveInOrder(callIds: readonly number[]): Promise<void> {
    for (const callId of callIds) {
      const isServed = await this.waiting.get(callId)?.tryToServe();
      if (isServed === false) return;
    }
  }
}
