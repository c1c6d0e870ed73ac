import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveEventsService } from '../../../common/live/live-events.service.js';

/** People become unavailable without a hint, and a hint may be lost. */
const LOOK_MS = 1_000;

/** Waits for changes of one offer. */
export class OfferWatch {
  private changed = new AbortController();
  /** Ends the watch. */
  readonly close: () => void;

  constructor(live: LiveEventsService, userId: number, offerId: number) {
    this.close = live.subscribe(`account ${userId}`, ({ type, ids }) => {
      if (type === 'resync' || (type === 'transfer-offer' && ids.includes(offerId))) this.changed.abort();
    });
  }

  /** Resolves with the first change from now on, after a second, or with the signal. */
  async next(signal: AbortSignal): Promise<void> {
    this.changed = new AbortController();
    const any = AbortSignal.any([signal, this.changed.signal]);
    await sleep(LOOK_MS, undefined, { signal: any }).catch((error: unknown) => {
      if (!any.aborted) throw error;
    });
  }
}
