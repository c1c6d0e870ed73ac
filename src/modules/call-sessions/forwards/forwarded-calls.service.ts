import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { SecondLeg } from '../../../runtime/call/transfers/second-leg.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import { CallRunnerService } from '../call-runner.service.js';
import { CallSessionsService } from '../call-sessions.service.js';
import { CallConclusionService } from '../ends/call-conclusion.service.js';
import type { MonitoredCall } from '../monitored-call.js';
import type { FarEndDialler } from './far-end-dialler.js';
import { FarEndsService, type Forward } from './far-ends.service.js';

/** Connects incoming calls with another number, without recogniser and model. */
@Injectable()
export class ForwardedCallsService {
  constructor(
    private readonly sessions: CallSessionsService,
    private readonly runner: CallRunnerService,
    private readonly conclusion: CallConclusionService,
    private readonly farEnds: FarEndsService,
    private readonly logger: Logger,
  ) {}

  /** Forwards an inbound call that this process has written with the lease, in the background. */
  forward(lease: CallLease, carrierCallId: string, forward: Forward): void {
    const { forward: forwardByCarrier } = lease.line;
    if (!forwardByCarrier) return this.forwardHere(lease, carrierCallId, forward);
    const { called, ...how } = forward;
    this.runner.start(
      lease,
      () =>
        this.sessions.follow(lease, {
          onAnswer: (answered) => this.conclusion.concludeForwardedByCarrier(answered),
        }),
      () => forwardByCarrier(carrierCallId, { ...how, from: called.phoneNumber }),
    );
  }

  /** The second leg is a call of this process, which joins the two lines. */
  private forwardHere(lease: CallLease, carrierCallId: string, forward: Forward): void {
    const dialler = this.farEnds.diallerOf(lease, carrierCallId, forward);
    let dialled: Promise<SecondLeg | null> | null = null;
    this.runner.start(lease, () =>
      this.sessions.follow(lease, {
        onRinging: (ringing) => {
          dialled ??= this.dial(ringing, forward, dialler);
        },
        onAnswer: async (answered) => this.farEnds.join(answered, await dialled),
        onUnanswered: async (unanswered, last) => {
          const { outcome } = dialler;
          await dialler.stop();
          const isOurs = last?.end?.by === 'platform';
          const end =
            outcome && isOurs && last?.end ? { ...last.end, outcome, by: 'carrier' as const } : null;
          await this.conclusion.writeEnd(unanswered, last && end ? { ...last, end } : last);
        },
      }),
    );
  }

  /**
   * Continues a forward of a process that has died, once the lines have been taken over here. The caller is hung up where the
   * far end has no line any more.
   */
  takeOver(lease: CallLease, takeOverLines: () => Promise<void>): void {
    this.runner.start(
      lease,
      () =>
        this.sessions.follow(lease, {
          onAnswer: (answered) => this.farEnds.joinAgain(answered),
        }),
      async (renew) => {
        await takeOverLines();
        await renew();
      },
    );
  }

  /** Never fails. The caller's line is answered with the far end's, and hears busy without one. */
  private async dial(
    ringing: MonitoredCall,
    forward: Forward,
    dialler: FarEndDialler,
  ): Promise<SecondLeg | null> {
    const { lease, carrierCallId } = ringing;
    try {
      const leg = await dialler.dial(await this.farEnds.placingNumbers(ringing, forward.called));
      if (leg) await lease.line.accept(carrierCallId);
      else await lease.line.reject(carrierCallId, 'busy');
      return leg;
    } catch (err) {
      await dialler.stop();
      // The caller has hung up in the meantime.
      if (!(err instanceof CallCarrierError)) {
        this.logger.error('call not forwarded', { callId: lease.callId, err });
        await lease.line.hangUp(carrierCallId);
      }
      return null;
    }
  }
}
