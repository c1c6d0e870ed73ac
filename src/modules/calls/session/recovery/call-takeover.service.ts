import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../../common/observability/logger.js';
import type { LineTakeover } from '../../../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../../../providers/telephony/call-carriers.js';
import { CallTalks } from '../../../../runtime/call/call-talks.js';
import { CallTurnsRepository } from '../../turns/call-turns.repository.js';
import { VoiceClientService } from '../../voice/voice-client.service.js';
import { VoiceProcessesService } from '../../voice/voice-processes.service.js';
import { LEASE_MS } from '../call-lease.js';
import { CallSessionsService } from '../call-sessions.service.js';
import { type ForeignLine, LineStatesRepository } from './line-states.repository.js';
import { LineStatesService } from './line-states.service.js';

/** How often calls are looked at that a process still has, which may be about to end. */
const LOOK_MS = 1_000;
const JOIN_MS = 50;
const BATCH = 1_000;

/**
 * Takes calls over whose voice process has died, where the carrier can go on with their lines here. It begins when the
 * carrier's lines become this process's, which is the moment the other one's lock is free, and ends when no call is left
 * with another process. A call is taken at once when its process surely is no more, else once its lease has lapsed.
 */
@Injectable()
export class CallTakeoverService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly unsubscribes: (() => void)[] = [];
  private readonly running = new Map<string, Promise<void>>();

  constructor(
    private readonly carriers: CallCarriers,
    private readonly lines: LineStatesRepository,
    private readonly states: LineStatesService,
    private readonly turns: CallTurnsRepository,
    private readonly sessions: CallSessionsService,
    private readonly processes: VoiceProcessesService,
    private readonly client: VoiceClientService,
    private readonly talks: CallTalks,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.talks.canSpeak) return;
    for (const { name, takeover } of this.carriers.all) {
      if (!takeover) continue;
      this.unsubscribes.push(takeover.onReady(() => this.begin(name, takeover)));
      this.unsubscribes.push(takeover.onStandstill(() => this.sessions.confirm(name)));
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
    while (!signal.aborted) {
      try {
        // This process may be about to join those that have calls.
        while (!this.processes.own && !signal.aborted) await sleep(JOIN_MS, undefined, { signal });
        if ((await this.round(carrier, takeover)) === 0) return;
      } catch (err) {
        if (signal.aborted) return;
        this.logger.warn('calls of a process that is gone not taken over yet', { carrier, err });
      }
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Returns how many calls are left with other processes. */
  private async round(carrier: string, takeover: LineTakeover): Promise<number> {
    const { own } = this.processes;
    if (!own) return 0;
    const foreign = await this.lines.listForeign(carrier, own.id, BATCH);
    // A process that stands still would only keep the question waiting.
    const gone = await this.goneAmong(foreign.filter(({ isLapsed }) => !isLapsed));
    const free = foreign.filter(
      ({ isLapsed, voiceProcessId }) => isLapsed || (voiceProcessId !== null && gone.has(voiceProcessId)),
    );
    await Promise.all(free.map((line) => this.take(carrier, takeover, line, own.id)));
    return foreign.length - free.length;
  }

  private async goneAmong(foreign: readonly ForeignLine[]): Promise<ReadonlySet<string>> {
    const addresses = new Map<string, string>();
    for (const { voiceProcessId: id, address } of foreign) if (id && address) addresses.set(id, address);
    const asked = [...addresses].map(async ([id, address]) =>
      (await this.client.isGone({ id, address })) ? [id] : [],
    );
    return new Set((await Promise.all(asked)).flat());
  }

  private async take(
    carrier: string,
    takeover: LineTakeover,
    line: ForeignLine,
    ownProcessId: string,
  ): Promise<void> {
    const { callId, userId, carrierCallId } = line;
    const lease = this.sessions.createLease(callId, carrier);
    if (!(await this.lines.takeFrom(line, lease.token, ownProcessId, LEASE_MS))) return;
    const [state, turns] = await Promise.all([
      this.states.find(userId, callId),
      this.turns.list(userId, callId),
    ]);
    this.logger.warn(state === null ? 'call ended: nobody can go on with its line' : 'call taken over', {
      callId,
      carrier,
    });
    this.sessions.resume(lease, async () => {
      const lastHeardMs = turns.at(-1)?.endMs ?? 0;
      if (state !== null) await takeover.resume({ callId: carrierCallId, state, lastHeardMs });
    });
  }
}
