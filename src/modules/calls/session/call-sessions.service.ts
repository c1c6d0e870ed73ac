import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { CallMonitorService } from './call-monitor.service.js';
import { ActiveCallsRepository, type RunningCall } from './active-calls.repository.js';
import { CallLostError } from '../calls.errors.js';
import { CallLease, LEASE_MS } from './call-lease.js';

const RENEW_MS = 5_000;
const RETRY_MS = 1_000;

/**
 * The calls that this process follows to their ends. Each is held by a lease in the database, which is renewed while the
 * process lives; when it is lost, or the process shuts down, the call is let go of, and goes on for whoever adopts it.
 */
@Injectable()
export class CallSessionsService implements OnModuleDestroy {
  private readonly running = new Map<CallLease, Promise<void>>();
  private isClosing = false;

  constructor(
    private readonly following: CallMonitorService,
    private readonly runs: ActiveCallsRepository,
    private readonly carrier: CallCarrier,
    private readonly logger: Logger,
  ) {}

  /**
   * Notes that the carrier has the call, and follows it in the background. Who calls this has asked the carrier.
   *
   * @param found the call as it was when the carrier was asked
   * @param carrierCallId the carrier's id of the call
   * @returns false when nobody waits for the carrier's answer any more
   */
  async begin({ call, run }: RunningCall, carrierCallId: string): Promise<boolean> {
    const held = new CallLease(call.id, this.carrier);
    if (!(await this.runs.beginFollowing(call.id, carrierCallId, held.token, LEASE_MS))) return false;
    run.carrierCallId = carrierCallId;
    this.start(held, { call, run });
    return true;
  }

  /**
   * Accepts an inbound call that this process has written with the lease of the given token, and follows it in the
   * background. The lease is renewed before the carrier is asked and while it takes its time, and a call that was lost
   * meanwhile is left to whoever has it.
   */
  answer(held: CallLease, carrierCallId: string): void {
    this.start(held, undefined, () => held.line.accept(carrierCallId));
  }

  /** A call that is about to be followed. */
  hold(callId: number): CallLease {
    return new CallLease(callId, this.carrier);
  }

  /**
   * Takes over a call that nobody follows any more.
   *
   * @param force takes it from whoever follows it
   */
  async adopt(callId: number, force = false): Promise<void> {
    const held = new CallLease(callId, this.carrier);
    if (await this.runs.takeLease(callId, held.token, LEASE_MS, force)) this.start(held);
  }

  /** Lets go of all calls, and leaves them to others or to the next start. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    const running = [...this.running];
    for (const [held] of running) held.letGo();
    await Promise.all(running.map(([, done]) => done));
    for (const [held] of running) await this.runs.releaseLease(held.callId, held.token, held.turns);
  }

  private start(held: CallLease, found?: RunningCall, accept?: () => Promise<void>): void {
    if (this.isClosing) {
      // Whoever adopts the call does not accept it; the lease runs out by itself.
      accept?.().catch((err: unknown) => this.logger.warn('inbound call not accepted', { err }));
      held.letGo();
      return;
    }
    const renewal = setInterval(() => void this.renew(held), RENEW_MS);
    const accepted = accept ? this.accept(held, accept) : Promise.resolve();
    const done = accepted
      .then(() => this.run(held, found))
      .finally(() => {
        clearInterval(renewal);
        this.running.delete(held);
      });
    this.running.set(held, done);
  }

  /** Never fails: following tells what became of the call. */
  private async accept(held: CallLease, accept: () => Promise<void>): Promise<void> {
    // The line and the money may have been waited for.
    await this.renew(held);
    if (!held.isHeld) return;
    const letGo = new Promise<void>((resolve) => {
      held.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    try {
      await Promise.race([accept(), letGo]);
    } catch (error) {
      // The caller gave up, or nobody can say.
      const isCarrier = error instanceof CallCarrierError;
      this.logger[isCarrier ? 'warn' : 'error']('inbound call not accepted', {
        callId: held.callId,
        err: error,
      });
    }
  }

  private async run(held: CallLease, found?: RunningCall): Promise<void> {
    let known = found;
    while (held.isHeld) {
      try {
        await this.following.follow(held, known);
        return;
      } catch (error) {
        // By now the row may know more.
        known = undefined;
        if (error instanceof CallLostError || !held.isHeld) return;
        const isCarrier = error instanceof CallCarrierError;
        this.logger[isCarrier ? 'warn' : 'error']('call not followed', { callId: held.callId, err: error });
        // The call itself goes on; if it never can be followed, the sweeper ends it when its time is over.
        await sleep(RETRY_MS, undefined, { signal: held.signal }).catch(() => undefined);
      }
    }
  }

  private async renew(held: CallLease): Promise<void> {
    if (held.signal.aborted) return;
    const askedAtMs = performance.now();
    try {
      if (await this.runs.renewLease(held.callId, held.token, LEASE_MS, held.turns)) held.renewed(askedAtMs);
      else if (this.running.has(held)) held.letGo();
    } catch (error) {
      this.logger.warn('call lease not renewed', { callId: held.callId, err: error });
    }
  }
}
