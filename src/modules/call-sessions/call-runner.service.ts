import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { VoiceConfig } from '../../config/config.js';
import { inCallSpan } from '../../common/observability/tracing.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import { CallLostError } from '../calls/calls.errors.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { CallLease } from '../active-calls/leases/call-lease.js';
import { CallLeasesService } from './call-leases.service.js';
import { LineHandoverService, type OwnCalls } from './takeover/line-handover.service.js';

const RENEW_MS = 5_000;
const RETRY_MS = 1_000;
/** How long the last turns of a call that is handed over may take to arrive. */
const LAST_WORDS_MS = 200;
/** How long the end of calls may take that are hung up at shutdown. */
const CUT_SHORT_MS = 5_000;

/** @param renew renews the lease once more: opening may have taken long */
type OpenLine = (renew: () => Promise<void>) => Promise<void>;

/**
 * Runs the calls of this process, each under a lease in the database. It renews the lease while the process lives. A call is
 * released when its lease is lost or the process stops, and another process adopts it.
 */
@Injectable()
export class CallRunnerService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly running = new Map<CallLease, Promise<void>>();
  private readonly unsubscribes: (() => void)[] = [];
  private isClosing = false;
  private isDraining = false;

  constructor(
    private readonly leases: CallLeasesService,
    private readonly activeCalls: ActiveCallsService,
    private readonly ownership: CallOwnershipService,
    private readonly carriers: CallCarriers,
    private readonly processes: VoiceProcessesService,
    private readonly handover: LineHandoverService,
    private readonly voice: VoiceConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    for (const { name, takeover } of this.carriers.all)
      if (takeover) this.unsubscribes.push(takeover.onStandstill(() => this.confirm(name)));
  }

  /**
   * A call that is about to be monitored.
   *
   * @param carrier its carrier's name
   * @param isWithoutAssistant it counts for `takesFallbackLines` alone
   */
  createLease(callId: number, carrier: string, isWithoutAssistant = false): CallLease {
    return new CallLease(callId, carrier, this.carriers.named(carrier), isWithoutAssistant);
  }

  /**
   * Runs a call in the background until it is over or another process has it. Never fails.
   *
   * @param monitor follows the call. Returns when the call is over, or its lease has been released; is called again after an
   *   error, and where the lease had lapsed
   * @param open opens the line first, and may renew the lease once more
   */
  start(lease: CallLease, monitor: () => Promise<void>, open?: OpenLine): void {
    const renew = () => this.leases.renew(lease);
    if (this.isClosing) {
      // The process that adopts the call does not open its line; the lease lapses by itself.
      open?.(renew).catch((err: unknown) => this.logger.warn('line of a call not opened', { err }));
      lease.release();
      return;
    }
    const renewal = setInterval(() => void renew(), RENEW_MS);
    if (lease.line.capabilities.livesInProcess) this.leases.recordSoon(lease);
    const opened = open ? this.open(lease, () => open(renew)) : Promise.resolve();
    const done = opened
      .then(() => this.run(lease, monitor))
      .finally(() => {
        clearInterval(renewal);
        this.running.delete(lease);
        // Releases what was prepared while the call rang.
        lease.release();
      });
    this.running.set(lease, done);
  }

  /** The call of this process; null when another one has it, or none. */
  findOwn(callId: number): CallLease | null {
    return [...this.running.keys()].find((lease) => lease.callId === callId && lease.isHeld) ?? null;
  }

  /** Whether calls may begin here whose lines live in this process. */
  get takesOwnLines(): boolean {
    const { own } = this.processes;
    if (this.isDraining || this.isClosing) return false;
    return own === null || (!own.overloaded && this.ownLines < own.capacity);
  }

  /** Whether calls without an assistant may begin here, also when those with one may not. */
  get takesFallbackLines(): boolean {
    const { own } = this.processes;
    if (this.isDraining || this.isClosing) return false;
    const count = [...this.running.keys()].filter(
      ({ line, isWithoutAssistant }) => isWithoutAssistant && !line.isRunByCarrier,
    ).length;
    return !own?.overloaded && count < this.voice.fallbackCalls;
  }

  /**
   * Finds out which calls of a carrier this process still has, after it was suspended, and releases the others.
   *
   * @throws DatabaseUnavailableError where the database does not answer
   */
  async confirm(carrier: string): Promise<void> {
    const leases = [...this.running.keys()].filter(
      (lease) => lease.carrier === carrier && !lease.signal.aborted,
    );
    await Promise.all(leases.map((lease) => this.leases.confirm(lease)));
  }

  /** Calls with an assistant whose lines live in this process. */
  get ownLines(): number {
    return [...this.running.keys()].filter(
      ({ line, isWithoutAssistant }) => line.capabilities.livesInProcess && !isWithoutAssistant,
    ).length;
  }

  /**
   * Accepts no more calls whose lines live in this process. Hands calls over to another process where that can take them,
   * waits for the others, and hangs up those that are left. Does not wait for calls of other lines, and for those that their
   * carrier runs by itself: another process adopts them.
   *
   * @returns how many were hung up
   */
  async drain(timeoutMs: number): Promise<number> {
    this.isDraining = true;
    await this.processes.drain();
    const own = () =>
      [...this.running].filter(([{ line }]) => line.capabilities.livesInProcess && !line.isRunByCarrier);
    const calls: OwnCalls = {
      list: () => own().flatMap(([lease]) => (lease.isHeld ? [lease] : [])),
      leave: (leases, release) => this.leave(leases, release),
    };
    const over = new AbortController();
    const watched = this.handover.watch(calls, over.signal);
    await this.untilOver(own(), timeoutMs);
    over.abort();
    await watched;
    if (own().length > 0) await this.handover.handOverNow(calls);
    const left = own();
    await Promise.all(left.map(([lease]) => this.cutShort(lease)));
    await this.untilOver(left, CUT_SHORT_MS);
    return left.length;
  }

  /** Records the last turns of calls before another process can take them. */
  private async leave(leases: readonly CallLease[], release: (lease: CallLease) => void): Promise<void> {
    for (const lease of leases) {
      // A released line is not hung up by code that notices its end.
      lease.release();
      release(lease);
    }
    await this.untilOver(
      [...this.running].filter(([lease]) => leases.includes(lease)),
      LAST_WORDS_MS,
    );
    await Promise.all(
      leases.map(async (lease) => {
        await this.leases
          .writeTurns(lease)
          .catch((err: unknown) =>
            this.logger.warn('last turns not on record', { callId: lease.callId, err }),
          );
        await this.ownership.release(lease).catch((err: unknown) =>
          // It lapses by itself.
          this.logger.warn('lease not released', { callId: lease.callId, err }),
        );
      }),
    );
  }

  private async untilOver(
    calls: readonly (readonly [CallLease, Promise<void>])[],
    ms: number,
  ): Promise<void> {
    const over = Promise.all(calls.map(([, done]) => done));
    const given = new AbortController();
    const time = sleep(ms, undefined, { signal: given.signal }).catch(() => undefined);
    await Promise.race([over, time]);
    given.abort();
  }

  private async cutShort(lease: CallLease): Promise<void> {
    try {
      const found = await this.activeCalls.find(lease.callId);
      await this.leases.endOwnLine(lease, found?.active.carrierCallId ?? null);
    } catch (error) {
      this.logger.warn('call not hung up at shutdown', { callId: lease.callId, err: error });
    }
  }

  /** Releases all calls: another process adopts them, or this one after its next start. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    for (const unsubscribe of this.unsubscribes) unsubscribe();
    const running = [...this.running];
    for (const [lease] of running) lease.release();
    await Promise.all(running.map(([, done]) => done));
    for (const [lease] of running) {
      await this.leases.writeTurns(lease);
      await this.ownership.release(lease);
    }
  }

  /** Never fails: the monitor finds out the state of the call. */
  private async open(lease: CallLease, open: () => Promise<void>): Promise<void> {
    // Reserving line and money may have taken long.
    await this.leases.renew(lease);
    if (!lease.isHeld) return;
    const released = new Promise<void>((resolve) => {
      lease.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([open(), released]);
    } catch (error) {
      // The caller hung up, or the carrier does not answer.
      const isCarrier = error instanceof CallCarrierError;
      this.logger[isCarrier ? 'warn' : 'error']('line of a call not opened', {
        callId: lease.callId,
        err: error,
      });
    }
  }

  private async run(lease: CallLease, monitor: () => Promise<void>): Promise<void> {
    while (!lease.signal.aborted) {
      try {
        await inCallSpan(lease.callId, 'call.session', {}, monitor);
        if (lease.isHeld || lease.signal.aborted || (await this.isOver(lease))) return;
      } catch (error) {
        const isLost = error instanceof CallLostError;
        if (isLost || !lease.isHeld) {
          if (await this.isOver(lease, isLost)) return;
          continue;
        }
        const isCarrier = error instanceof CallCarrierError;
        this.logger[isCarrier ? 'warn' : 'error']('call not monitored', { callId: lease.callId, err: error });
        // The call itself goes on. If it cannot be monitored at all, the sweep ends it after its longest duration.
        await sleep(RETRY_MS, undefined, { signal: lease.signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Whether nothing is left to do for a call after its monitor has returned. This process may still have a lapsed lease, if no
   * other process has taken it. The line of a call that another process has is released.
   *
   * @param isLost another process has the call, or it is over
   */
  private async isOver(lease: CallLease, isLost = false): Promise<boolean> {
    try {
      return !(await this.leases.confirm(lease)) || isLost;
    } catch (error) {
      this.logger.warn('call lease not renewed', { callId: lease.callId, err: error });
      await sleep(RETRY_MS, undefined, { signal: lease.signal }).catch(() => undefined);
      return false;
    }
  }
}
