import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { timeoutSignal } from '../../../common/time/timeout-signal.js';
import { CallCarrier, type CarrierCall } from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { CallLease } from './call-lease.js';

/** How long the carrier's own word on the end of a call may take, once nothing goes on any more. */
const LAST_WORD_MS = 5_000;
const HANG_UP_AGAIN_MS = 1_000;

/** A line that a process holds, as the carrier names it. */
interface HeldLine {
  readonly held: CallLease;
  readonly carrierCallId: string;
}

/** Sees lines to their ends, on which this process does not talk (any more). */
@Injectable()
export class CallHangupService {
  constructor(
    private readonly carrier: CallCarrier,
    private readonly logger: Logger,
  ) {}

  /**
   * Lets others talk on a line, and hangs up when the time is over. Returns how the line ended; null when the carrier does
   * not say, or the call has been let go of.
   *
   * @param restMs in the carrier's time
   * @throws CallCarrierError when the line cannot be watched; it goes on
   */
  async outlast(line: HeldLine, restMs: number): Promise<CarrierCall | null> {
    const { held, carrierCallId } = line;
    const restRealMs = Math.max(restMs, 0) / this.carrier.capabilities.speed;
    const last = await this.untilEnd(carrierCallId, restRealMs, held.signal);
    return last?.end || !held.isHeld ? last : this.hangUp(line);
  }

  /**
   * Hangs up, as often as it takes for the carrier to hear it: a line that stays open costs money and talks to nobody.
   * Returns as `outlast` does.
   */
  async hangUp({ held, carrierCallId }: HeldLine): Promise<CarrierCall | null> {
    while (held.isHeld) {
      try {
        await held.line.hangUp(carrierCallId);
        return await this.lastWord({ held, carrierCallId });
      } catch (error) {
        if (!(error instanceof CallCarrierError)) throw error;
        if (error.code === 'no-such-call') return null;
        this.logger.warn('call not hung up', { callId: held.callId, err: error });
        await sleep(HANG_UP_AGAIN_MS, undefined, { signal: held.signal }).catch(() => undefined);
      }
    }
    return null;
  }

  /** How a line ended on which nothing goes on any more. Returns as `outlast` does. */
  async lastWord({ held, carrierCallId }: HeldLine): Promise<CarrierCall | null> {
    try {
      return await this.untilEnd(carrierCallId, LAST_WORD_MS, held.signal);
    } catch (error) {
      if (!(error instanceof CallCarrierError)) throw error;
      this.logger.warn('carrier did not tell of the end of a call', { callId: held.callId, err: error });
      return null;
    }
  }

  private async untilEnd(
    carrierCallId: string,
    timeoutMs: number,
    letGo: AbortSignal,
  ): Promise<CarrierCall | null> {
    const over = AbortSignal.any([timeoutSignal(timeoutMs), letGo]);
    let last: CarrierCall | null = null;
    for await (const event of this.carrier.watch(carrierCallId, over)) {
      if (event.type === 'state' || event.type === 'ended') last = event.call;
      if (last?.end) return last;
    }
    if (!over.aborted) throw new CallCarrierError('unavailable', 'no');
    return last;
  }
}
