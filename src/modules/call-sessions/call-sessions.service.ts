import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { inCallSpan } from '../../common/observability/tracing.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { CallMonitorService } from './call-monitor.service.js';
import { ActiveCallsService } from '../active-calls/active-calls.service.js';
import { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import type { RunningCall } from '../active-calls/running-call.js';
import { CallLostError } from '../calls/calls.errors.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { CallLease } from '../active-calls/leases/call-lease.js';
import { CallLeasesService } from './call-leases.service.js';
import { LineHandoverService, type OwnCalls } from './takeover/line-handover.service.js';

const RENEW_MS = 5_000;
const RETRY_MS = 1_000;
/** A line that no process has taken over for so long is over. */
const TAKEOVER_MS = 30_000;
/** How long a call that is handed over may take to say what was said last. */
const LAST_WORDS_MS = 200;
/** How long the end of calls may take that are hung up at shutdown. */
const CUT_SHORT_MS = 5_000;

/**
 * The calls that this process monitors to their ends. Each is held by a lease in the database, which is renewed while the
 * process lives; when it is lost, or the process shuts down, the call is let go of, and goes on for whoever adopts it.
 */
@Injectable()
export class CallSessionsService implements OnModuleDestroy {
  private readonly running = new Map<CallLease, Promise<void>>();
  private isClosing = false;
  private isDraining = false;

  constructor(
    private readonly monitor: CallMonitorService,
    private readonly leases: CallLeasesService,
    private readonly activeCalls: ActiveCallsService,
    private readonly ownership: CallOwnershipService,
    private readonly carriers: CallCarriers,
    private readonly processes: VoiceProcessesService,
    private readonly handover: LineHandoverService,
    private readonly logger: Logger,
  ) {}

  /**
   * Notes that the carrier has the call, and monitors it in the background. Who calls this has asked the carrier.
   *
   * @param found the call as it was when the carrier was asked
   * @param carrierCallId the carrier's id of the call
   * @returns false when nobody waits for the carrier's answer any more
   */
  async begin({ call, active }: RunningCall, carrierCallId: string): Promise<boolean> {
    const lease = this.createLease(call.id, active.carrier);
    const placed = { callId: call.id, carrierCallId, token: lease.token };
    if (!(await this.activeCalls.open(call.userId, placed))) return false;
    active.carrierCallId = carrierCallId;
    this.start(lease, { call, active });
    return true;
  }

  /**
   * Accepts an inbound call that this process has written with the lease of the given token, and monitors it in the
   * background. The lease is renewed before the carrier is asked and while it takes its time, and a call that was lost
   * meanwhile is left to whoever has it.
   */
  answer(lease: CallLease, carrierCallId: string): void {
    this.start(lease, undefined, () => lease.line.accept(carrierCallId));
  }

  /**
   * Goes on with a call that this process has taken from one that is gone, with the lease. What is asked of it meanwhile
   * is done before anybody talks on it.
   *
   * @param takeOver has the carrier take the line over
   */
  resume(lease: CallLease, takeOver: () => Promise<void>): void {
    this.start(lease, undefined, async () => {
      await takeOver();
      await this.leases.renew(lease);
    });
  }

  /**
   * A call that is about to be monitored.
   *
   * @param carrier its carrier's name
   */
  createLease(callId: number, carrier: string): CallLease {
    return new CallLease(callId, carrier, this.carriers.named(carrier));
  }

  /**
   * Takes over a call that nobody monitors any more: to talk on, or to end it where its line died with the process that
   * had it.
   *
   * @param force takes it from whoever monitors it
   */
  async adopt(callId: number, force = false): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (!found) return;
    const lease = this.createLease(callId, found.active.carrier);
    const { reattachable, livesInProcess } = lease.line.capabilities;
    const lapsedMs = reattachable && livesInProcess ? TAKEOVER_MS : 0;
    if (!(await this.ownership.take(lease, force, lapsedMs))) return;
    if (reattachable && !livesInProcess) return this.start(lease);
    this.logger.warn('call ended: its line died with its process', { callId, carrier: found.active.carrier });
    await this.monitor.end((await this.activeCalls.find(callId)) ?? found, lease);
  }

  /** Ends an open call whose longest duration is over, whichever process monitors it. */
  async endOverdue(callId: number): Promise<void> {
    const found = await this.activeCalls.find(callId);
    if (!found) return;
    const lease = this.createLease(callId, found.active.carrier);
    if (!(await this.ownership.take(lease, true))) return;
    // By now the row may know more.
    await this.monitor.end((await this.activeCalls.find(callId)) ?? found, lease);
  }

  /** Whether calls may begin here whose lines live in this process. */
  get takesOwnLines(): boolean {
    const { own } = this.processes;
    if (this.isDraining || this.isClosing) return false;
    return own === null || (!own.overloaded && this.ownLines < own.capacity);
  }

  /**
   * Finds out which calls of a carrier are still this process's, after it stood still, and lets go of the others.
   *
   * @throws DatabaseUnavailableError where that cannot be found out
   */
  async confirm(carrier: string): Promise<void> {
    const leases = [...this.running.keys()].filter(
      (lease) => lease.carrier === carrier && !lease.signal.aborted,
    );
    await Promise.all(leases.map((lease) => this.leases.confirm(lease)));
  }

  /** Calls whose lines live in this process. */
  get ownLines(): number {
    return [...this.running.keys()].filter(({ line }) => line.capabilities.livesInProcess).length;
  }

  /**
   * Takes no more calls whose lines live in this process, hands over to another process what it can take, waits for the
   * others, and hangs up what is left of them in the end. Calls of other lines are not waited for: another process adopts
   * them.
   *
   * @returns how many were hung up
   */
  async drain(timeoutMs: number): Promise<number> {
    this.isDraining = true;
    await this.processes.drain();
    const own = () => [...this.running].filter(([{ line }]) => line.capabilities.livesInProcess);
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

  /** What has been said is on record before another process can take a call. */
  private async leave(leases: readonly CallLease[], release: (lease: CallLease) => void): Promise<void> {
    for (const lease of leases) {
      // Nothing is hung up by whoever notices.
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
          // It runs out by itself.
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

  /** Lets go of all calls, and leaves them to others or to the next start. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    const running = [...this.running];
    for (const [lease] of running) lease.release();
    await Promise.all(running.map(([, done]) => done));
    for (const [lease] of running) {
      await this.leases.writeTurns(lease);
      await this.ownership.release(lease);
    }
  }

  private start(lease: CallLease, found?: RunningCall, open?: () => Promise<void>): void {
    if (this.isClosing) {
      // Whoever adopts the call does not open its line; the lease runs out by itself.
      open?.().catch((err: unknown) => this.logger.warn('line of a call not opened', { err }));
      lease.release();
      return;
    }
    const renewal = setInterval(() => void this.leases.renew(lease), RENEW_MS);
    if (lease.line.capabilities.livesInProcess) this.leases.recordSoon(lease);
    const opened = open ? this.open(lease, open) : Promise.resolve();
    const done = opened
      .then(() => this.run(lease, found))
      .finally(() => {
        clearInterval(renewal);
        this.running.delete(lease);
        // What was prepared for it while it rang is released by that.
        lease.release();
      });
    this.running.set(lease, done);
  }

  /** Never fails: monitoring tells what became of the call. */
  private async open(lease: CallLease, open: () => Promise<void>): Promise<void> {
    // The line and the money may have been waited for.
    await this.leases.renew(lease);
    if (!lease.isHeld) return;
    const released = new Promise<void>((resolve) => {
      lease.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([open(), released]);
    } catch (error) {
      // The caller gave up, or nobody can say.
      const isCarrier = error instanceof CallCarrierError;
      this.logger[isCarrier ? 'warn' : 'error']('line of a call not opened', {
        callId: lease.callId,
        err: error,
      });
    }
  }

  private async run(lease: CallLease, found?: RunningCall): Promise<void> {
    let known = found;
    while (!lease.signal.aborted) {
      try {
        const row = known;
        await inCallSpan(lease.callId, 'call.session', {}, () => this.monitor.monitor(lease, row));
        if (lease.isHeld || lease.signal.aborted || (await this.isOver(lease))) return;
      } catch (error) {
        // By now the row may know more.
        known = undefined;
        const isLost = error instanceof CallLostError;
        if (isLost || !lease.isHeld) {
          if (await this.isOver(lease, isLost)) return;
          continue;
        }
        const isCarrier = error instanceof CallCarrierError;
        this.logger[isCarrier ? 'warn' : 'error']('call not monitored', { callId: lease.callId, err: error });
        // The call itself goes on; if it never can be monitored, the sweeper ends it when its time is over.
        await sleep(RETRY_MS, undefined, { signal: lease.signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Whether nothing is left to do for a call that is monitored no more. A lease that has lapsed may be this process's still,
   * where nobody else has asked for it; a line that is another process's now is let go of.
   *
   * @param isLost the call was found to be somebody else's, or over
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
