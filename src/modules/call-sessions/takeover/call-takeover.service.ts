import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { LineTakeover } from '../../../providers/telephony/call/line-takeover.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { SessionFactories } from '../../../runtime/call/session-factories.js';
import { VoiceClientService } from '../../voice-workers/voice-client.service.js';
import {
  type VoiceProcessAddress,
  VoiceProcessesService,
} from '../../voice-workers/voice-processes.service.js';
import { CallLease } from '../../active-calls/leases/call-lease.js';
import type { ForeignLine } from '../../active-calls/line-states/foreign-line.js';
import { LineStatesService } from '../../active-calls/line-states/line-states.service.js';
import { TakenOverCallsService } from './taken-over-calls.service.js';

/** How often this process looks for calls of processes that have died. */
const LOOK_MS = 1_000;
const JOIN_MS = 50;
const BATCH = 1_000;

/**
 * Takes over calls whose voice process has died, where the carrier can continue their lines here. It begins when the
 * carrier's lines become this process's, which is when the lock of the other one is free. It ends when no call is
 * left with another process. A call is taken at once when its process has ended, else once its lease has lapsed.
 *
 * Where several processes have lines of a carrier it never ends, and they share the calls of one that dies: each takes
 * those whose number leaves its own place among them when divided by how many there are, and the others a round later.
 */
@Injectable()
export class CallTakeoverService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly unsubscribes: (() => void)[] = [];
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly carriers: CallCarriers,
    private readonly states: LineStatesService,
    private readonly taken: TakenOverCallsService,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly factories: SessionFactories,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.factories.canSpeak) return;
    for (const { name, takeover } of this.carriers.all) {
      if (!takeover) continue;
      this.unsubscribes.push(takeover.onReady(() => this.begin(name, takeover)));
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    for (const unsubscribe of this.unsubscribes) unsubscribe();
    await Promise.all(this.running.values());
  }

  private begin(carrier: string, takeover: LineTakeover): void {
    if (this.running.has(carrier)) return;
    const done = this.run(carrier, takeover).finally(() => this.running.delete(carrier));
    this.running.set(carrier, done);
  }

  private async run(carrier: string, takeover: LineTakeover): Promise<void> {
    const { signal } = this.closing;
    const waiting = new Set<number>();
    while (!signal.aborted) {
      try {
        // This process may be about to join those that have calls.
        while (!this.processes.own && !signal.aborted) await sleep(JOIN_MS, undefined, { signal });
        const left = await this.round(carrier, takeover, waiting);
        if (left === 0 && !takeover.isShared) return;
      } catch (err) {
        if (signal.aborted) return;
        this.logger.warn('calls of a process that is gone not taken over yet', { carrier, err });
      }
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /**
   * Returns how many calls are left with other processes.
   *
   * @param waiting calls that were left to the others in the round before
   */
  private async round(carrier: string, takeover: LineTakeover, waiting: Set<number>): Promise<number> {
    const { own } = this.processes;
    if (!own || own.draining || !takeover.isReady) return 0;
    const foreign = await this.states.listForeign(carrier, own.id, BATCH);
    if (foreign.length === 0) return 0;
    const { isShared } = takeover;
    const [gone, there] = await Promise.all([
      this.among(
        foreign.filter(({ isLapsed }) => isShared || !isLapsed),
        (process) => this.client.isGone(process),
      ),
      // A process that answers, but has not renewed its lease, had no connection to the database, as all processes.
      this.among(
        foreign.filter(({ isLapsed, isDraining }) => isShared && isLapsed && !isDraining),
        (process) => this.client.isThere(process),
      ),
    ]);
    const free = foreign.filter(
      ({ isLapsed, voiceProcessId: id }) =>
        (isLapsed && !(id !== null && there.has(id))) || (id !== null && gone.has(id)),
    );
    const taken = isShared ? await this.shareOf(carrier, own.id, free, gone, waiting) : free;
    await Promise.all(taken.map((line) => this.take(carrier, takeover, line, own.id)));
    return foreign.length - taken.length;
  }

  private async shareOf(
    carrier: string,
    ownId: string,
    free: readonly ForeignLine[],
    gone: ReadonlySet<string>,
    waiting: Set<number>,
  ): Promise<readonly ForeignLine[]> {
    if (free.length === 0) return free;
    const others = await this.processes.listOthers(carrier);
    const ids = [ownId, ...others.map(({ id }) => id).filter((id) => !gone.has(id))].toSorted();
    const place = ids.indexOf(ownId);
    const taken = free.filter(({ callId }) => waiting.has(callId) || callId % ids.length === place);
    waiting.clear();
    for (const line of free) if (!taken.includes(line)) waiting.add(line.callId);
    return taken;
  }

  /** The processes of lines of which something is so. */
  private async among(
    lines: readonly ForeignLine[],
    isSo: (process: VoiceProcessAddress) => Promise<boolean>,
  ): Promise<ReadonlySet<string>> {
    const addresses = new Map<string, string>();
    for (const { voiceProcessId: id, address } of lines) if (id && address) addresses.set(id, address);
    const asked = [...addresses].map(async ([id, address]) => ((await isSo({ id, address })) ? [id] : []));
    return new Set((await Promise.all(asked)).flat());
  }

  private async take(
    carrier: string,
    takeover: LineTakeover,
    line: ForeignLine,
    ownProcessId: string,
  ): Promise<void> {
    const lease = new CallLease(line.callId, carrier, this.carriers.named(carrier), line.isWithoutAssistant);
    if (!(await this.states.takeFrom(line, lease.token, ownProcessId))) return;
    await this.taken.run(lease, line, takeover);
  }
}
