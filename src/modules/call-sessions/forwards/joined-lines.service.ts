import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { SystemClock } from '../../../common/time/clock.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { SessionFactories } from '../../../runtime/call/session-factories.js';
import type { CallEndedBy } from '../../../runtime/call/session/call-setup.js';
import type { SecondLeg } from '../../../runtime/call/transfers/second-leg.js';
import { type MonitoredCall, sinceAnswerMs } from '../monitored-call.js';

/** Carries the sound between a caller and the far end of a forward. */
@Injectable()
export class JoinedLinesService {
  constructor(
    private readonly factories: SessionFactories,
    private readonly logger: Logger,
  ) {}

  /** Returns who ended it: the caller, the far end (`transfer`), or the time limit. The second leg is over then. Never fails. */
  async join(answered: MonitoredCall, leg: SecondLeg): Promise<CallEndedBy> {
    const { call, active, lease } = answered;
    const over = new AbortController();
    let endedBy: CallEndedBy = 'transfer';
    const end = (by: CallEndedBy) => {
      if (over.signal.aborted) return;
      endedBy = by;
      over.abort();
    };
    const signal = AbortSignal.any([over.signal, lease.signal]);
    const clock = new SystemClock(lease.line.capabilities.speed);
    const leftMs = active.maxDurationSeconds * 1_000 - sinceAnswerMs(lease, call.answeredAt);
    const cancel = clock.after(Math.max(leftMs, 0), () => end('limit'));
    if (leg.ended.aborted) end('transfer');
    else leg.ended.addEventListener('abort', () => end('transfer'), { once: true });
    void this.watchCaller(answered, leg, signal, end);
    try {
      await this.carrySound(answered, leg, signal);
    } catch (err) {
      if (!signal.aborted) this.logger.error('forwarded call not connected', { callId: lease.callId, err });
      end('failed');
    } finally {
      cancel();
    }
    try {
      await leg.hangUp();
    } catch (err) {
      this.logger.warn('far end of a forward not hung up', { callId: lease.callId, err });
    }
    return endedBy;
  }

  private async carrySound(
    { lease, carrierCallId }: MonitoredCall,
    leg: SecondLeg,
    signal: AbortSignal,
  ): Promise<void> {
    const { media } = lease.line;
    if (!('audio' in media)) throw new CallCarrierError('not-supported', 'no');
    const caller = await media.audio.open(carrierCallId, signal);
    await this.factories.join(caller, await leg.openAudio(signal), signal);
  }

  /** Keys of the caller may be meant for an exchange at the far end. */
  private async watchCaller(
    { carrierCallId, lease }: MonitoredCall,
    leg: SecondLeg,
    signal: AbortSignal,
    end: (by: CallEndedBy) => void,
  ): Promise<void> {
    try {
      for await (const event of lease.line.watch(carrierCallId, signal)) {
        if (event.type === 'ended') return end('customer');
        if (event.type === 'digits') await leg.sendDigits(event.digits);
      }
    } catch (err) {
      this.logger.warn('caller of a forward not watched', { callId: lease.callId, err });
      end('failed');
    }
  }
}
