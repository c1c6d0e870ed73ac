import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import type { CarrierCall } from '../../../providers/telephony/call/carrier-call.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';

/** How long the carrier may take to report the end of a call after the last activity. */
const LAST_WORD_MS = 5_000;
const HANG_UP_AGAIN_MS = 1_000;

/** A line that a process holds, as the carrier names it. */
interface LineToEnd {
  readonly lease: CallLease;
  readonly carrierCallId: string;
}

/** Sees lines to their ends, on which this process does not talk (any more). */
@Injectable()
export class CallHangupService {
  constructor(private readonly logger: Logger) {}

  /**
   * Lets a transferred conversation continue, and hangs up when the time is over. Returns how the line ended; null
   * when the carrier does not report it, or the call has been released.
   *
   * @param restMs in the carrier's time
   * @throws CallCarrierError when the line cannot be watched; it stays open
   */
  async waitForEnd(line: LineToEnd, restMs: number): Promise<CarrierCall | null> {
    const { lease } = line;
    const restRealMs = Math.max(restMs, 0) / lease.line.capabilities.speed;
    const last = await this.untilEnd(line, restRealMs);
    return last?.end || !lease.isHeld ? last : this.hangUp(line);
  }

  /**
   * Hangs up, repeatedly until the carrier confirms it: a line that stays open costs money to no use.
   * Returns as `waitForEnd` does.
   */
  async hangUp({ lease, carrierCallId }: LineToEnd): Promise<CarrierCall | null> {
    while (lease.isHeld) {
      try {
        await lease.line.hangUp(carrierCallId);
        return await this.readFinalState({ lease, carrierCallId });
      } catch (error) {
        if (!(error instanceof CallCarrierError)) throw error;
        if (error.code === 'no-such-call') return null;
        this.logger.warn('call not hung up', { callId: lease.callId, err: error });
        await sleep(HANG_UP_AGAIN_MS, undefined, { signal: lease.signal }).catch(() => undefined);
      }
    }
    return null;
  }

  /** The final state of a line without further activity. Returns as `waitForEnd` does. */
  async readFinalState(line: LineToEnd): Promise<CarrierCall | null> {
    try {
      return await this.untilEnd(line, LAST_WORD_MS);
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.logger.warn('carrier did not tell of the end of a call', {
        callId: line.lease.callId,
        err: error,
      });
      return null;
    }
  }

  private async untilEnd(
    { lease, carrierCallId }: LineToEnd,
    timeoutMs: number,
  ): Promise<CarrierCall | null> {
    const over = AbortSignal.any([timeoutSignal(timeoutMs), lease.signal]);
    let last: CarrierCall | null = null;
    for await (const event of lease.line.watch(carrierCallId, over)) {
      if (event.type === 'state' || event.type === 'ended') last = event.call;
      if (last?.end) return last;
    }
    if (!over.aborted) throw new CallCarrierError('unavailable', 'no');
    return last;
  }
}
