import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { LineTakeover } from '../../../providers/telephony/call/line-takeover.js';
import { ActiveCallsService } from '../../active-calls/active-calls.service.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import type { ForeignLine } from '../../active-calls/line-states/foreign-line.js';
import { LineStatesService } from '../../active-calls/line-states/line-states.service.js';
import { CallTurnsService } from '../../calls/turns/call-turns.service.js';
import { CallSessionsService } from '../call-sessions.service.js';
import { ForwardedCallsService } from '../forwards/forwarded-calls.service.js';

/** Runs calls that this process has taken from one that died. */
@Injectable()
export class TakenOverCallsService {
  constructor(
    private readonly activeCalls: ActiveCallsService,
    private readonly states: LineStatesService,
    private readonly turns: CallTurnsService,
    private readonly sessions: CallSessionsService,
    private readonly forwards: ForwardedCallsService,
    private readonly logger: Logger,
  ) {}

  /** Talks on or joins the lines again, in the background; ends a call of whose line nothing was kept. */
  async run(
    lease: CallLease,
    { callId, userId, carrierCallId }: ForeignLine,
    takeover: LineTakeover,
  ): Promise<void> {
    const [record, state, turns] = await Promise.all([
      this.activeCalls.findRecord(callId),
      this.states.find(userId, callId),
      this.turns.list(userId, callId),
    ]);
    this.logger.warn(state === null ? 'call ended: no process can continue its line' : 'call taken over', {
      callId,
      carrier: lease.carrier,
    });
    const isForward = lease.isWithoutAssistant && record?.routing?.action === 'forward';
    const takeOverLine = async () => {
      const lastHeardMs = turns.at(-1)?.endMs ?? 0;
      if (state !== null)
        await takeover.resume({ callId: carrierCallId, state, lastHeardMs, keepsSecondLeg: isForward });
    };
    if (isForward) this.forwards.takeOver(lease, takeOverLine);
    else this.sessions.takeOver(lease, takeOverLine);
  }
}
