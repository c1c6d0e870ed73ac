import { setTimeout as sleep } from 'node:timers/promises';
import type { TwilioCall } from './twilio-call.js';
import type { TwilioCallRequests } from './twilio-call-requests.js';

interface PollingTimes {
  /** How often Twilio is asked for a call, as its callbacks may be lost. */
  readonly pollMs: number;
  /** How soon after a stream has ended Twilio is asked what became of its call. */
  readonly lookMs: number;
}

/** Asks Twilio for the state of calls, in addition to its callbacks. */
export class TwilioCallPolling {
  private readonly closing = new AbortController();

  constructor(
    private readonly requests: TwilioCallRequests,
    private readonly times: PollingTimes,
  ) {}

  /** Asks for the call from time to time until it is over. */
  async follow(call: TwilioCall): Promise<void> {
    const { signal } = this.closing;
    while (!call.record.end && !signal.aborted) {
      await sleep(this.times.pollMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!call.record.end && !signal.aborted) await this.look(call);
    }
  }

  /** Its sound is over, so the call will be. */
  async lookUntilOver(call: TwilioCall): Promise<void> {
    const { signal } = this.closing;
    for (let waitMs = this.times.lookMs; !call.record.end && !signal.aborted; waitMs *= 2) {
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (!call.record.end && !signal.aborted) await this.look(call);
      if (waitMs > this.times.pollMs) return;
    }
  }

  close(): void {
    this.closing.abort();
  }

  private async look(call: TwilioCall): Promise<void> {
    const found = await this.requests.look(call.facts.account, call.sid ?? '');
    // Where Twilio does not answer, it is asked again with the next round.
    if (found) call.takeStatus(found.status, found.durationSeconds);
  }
}
