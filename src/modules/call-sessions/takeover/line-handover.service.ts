import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { ServerConfig } from '../../../config/config.js';
import type { LineTakeover } from '../../../providers/telephony/call/line-takeover.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { VoiceClientService } from '../../voice-workers/voice-client.service.js';
import { VoiceProcessesService } from '../../voice-workers/voice-processes.service.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import { LineStatesService } from '../../active-calls/line-states/line-states.service.js';

/** By then all processes that are shut down together have said so: none of them is a successor. */
const SETTLE_MS = 1_000;
const LOOK_MS = 100;

/** The calls of the process that shuts down. */
export interface OwnCalls {
  /** Those whose lines live in this process. */
  list(): readonly CallLease[];
  /** Releases calls, so that another process may take them. */
  leave(leases: readonly CallLease[], release: (lease: CallLease) => void): Promise<void>;
}

/**
 * Hands lines over at shutdown to another voice process, which takes them over from their saved state, as those of a
 * process that died. All lines of a carrier go together, since the next process may need its addresses. A ringing
 * call or a running transfer cannot be taken over, so the other lines wait for it.
 */
@Injectable()
export class LineHandoverService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly states: LineStatesService,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  /** Hands over what can be, from `CALL_HANDOVER_SECONDS` on, until the signal fires. */
  async watch(calls: OwnCalls, signal: AbortSignal): Promise<void> {
    const left = this.withTakeover();
    const waitMs = Math.max(this.server.callHandoverMs, SETTLE_MS);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    while (left.size > 0 && !signal.aborted) {
      for (const [name, takeover] of left) {
        if (await this.tryHandOver(calls, name, takeover, false)) left.delete(name);
      }
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Hands over what can be at the end of the time there was; the rest is for the caller to end. */
  async handOverNow(calls: OwnCalls): Promise<void> {
    for (const [name, takeover] of this.withTakeover()) await this.tryHandOver(calls, name, takeover, true);
  }

  private withTakeover(): Map<string, LineTakeover> {
    return new Map(
      this.carriers.all.flatMap(({ name, takeover, placesHere }) =>
        takeover && placesHere ? [[name, takeover] as const] : [],
      ),
    );
  }

  /** @returns whether the lines of the carrier are no more this process's */
  private async tryHandOver(
    calls: OwnCalls,
    carrier: string,
    takeover: LineTakeover,
    isLastTry: boolean,
  ): Promise<boolean> {
    const canGo = () =>
      calls.list().filter((lease) => lease.carrier === carrier && this.states.isKept(lease));
    const isReady = () =>
      takeover.countOthers(canGo().flatMap(({ carrierCallId }) => carrierCallId ?? [])) === 0;
    if (!(isLastTry ? canGo().length > 0 : isReady())) return false;
    if (!(await this.hasSuccessor())) return false;
    // The customer may have begun something since.
    if (!isLastTry && !isReady()) return false;
    const leases = canGo();
    const released = calls.leave(leases, ({ carrierCallId }) => {
      if (carrierCallId !== null) takeover.release(carrierCallId);
    });
    await Promise.all([released, takeover.leave()]);
    this.logger.info('lines handed over at shutdown', { carrier, calls: leases.length });
    return true;
  }

  /** Never fails. */
  private async hasSuccessor(): Promise<boolean> {
    try {
      const others = await this.processes.listOthers();
      return (await Promise.all(others.map((process) => this.client.isThere(process)))).includes(true);
    } catch (err) {
      this.logger.warn('lines not handed over yet', { err });
      return false;
    }
  }
}
