import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import { LiveEventsService } from '../../../common/live/live-events.service.js';
import { Logger } from '../../../common/observability/logger.js';
import { ServerConfig } from '../../../config/config.js';
import { type SessionLock, SessionLocks } from '../../../database/connections/session-locks.js';
import { SipCallCarrier } from '../../../providers/telephony/sip/carrier/sip-call-carrier.js';
import type { TrunkNumber } from '../../../providers/telephony/sip/carrier/trunk-number.js';
import { ServedTrunksService } from './served-trunks.service.js';
import { SipCertificateService } from './sip-certificate.service.js';

/** How often trunks are looked at: whether they are still ours, and how they stand. */
const ROUND_MS = 2_000;
/** How often it is tried to have the trunks, where another process has them: its calls wait for who comes after it. */
const WAIT_MS = 500;
/** Changes are notified at once; this finds those whose notification was lost. */
const RELOAD_MS = 30_000;
/** How long registrars may take to answer a sign-off at shutdown. */
const SIGN_OFF_MS = 2_000;
/** There is one lock for all trunks. */
const LOCK_ID = 1;

/**
 * Connects the SIP trunks of all accounts: of the processes that have the voice role, the one that has the lock registers
 * and takes calls. When it dies, the next one takes the trunks over. The others place calls at the same time, where
 * they have ports for that.
 */
@Injectable()
export class SipTrunkConnectionsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /** One round at a time. */
  private turn: Promise<unknown> = Promise.resolve();
  private lock: SessionLock | null = null;
  /** Trunks, or what they are served for. */
  private hasChanged = true;
  private loadedAtMs = 0;
  private lastProblem = '';

  constructor(
    @Inject(SipCallCarrier) private readonly carrier: SipCallCarrier | null,
    private readonly trunks: ServedTrunksService,
    private readonly certificate: SipCertificateService,
    private readonly locks: SessionLocks,
    private readonly live: LiveEventsService,
    private readonly drain: DrainService,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { carrier } = this;
    if (!carrier || !this.server.roles.has('voice')) return;
    this.drain.leaving.addEventListener('abort', () => void this.end());
    const unsubscribe = this.live.subscribe('sip-trunks', () => {
      this.hasChanged = true;
    });
    const unlisten = carrier.takeover.onStandstill(() => this.confirm(carrier));
    this.running = this.run(carrier).finally(() => {
      unsubscribe();
      unlisten();
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.end();
  }

  private async run(carrier: SipCallCarrier): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      try {
        await this.inTurn(() => this.round(carrier));
        this.lastProblem = '';
      } catch (error) {
        this.warn(error);
      }
      await sleep(this.lock ? ROUND_MS : WAIT_MS, undefined, { signal }).catch(() => undefined);
    }
    // Operators send their calls elsewhere from now on; the calls that stand go on.
    // A registrar that does not answer must not keep the next process from the trunks.
    await Promise.race([carrier.drain(), sleep(SIGN_OFF_MS, undefined, { ref: false })]);
    await this.unlock();
  }

  /** Before the calls come to their end. */
  private async end(): Promise<void> {
    this.closing.abort();
    await this.running;
  }

  private async round(carrier: SipCallCarrier): Promise<void> {
    const holdsLock = await this.holdsLock(carrier).catch(async (error: unknown) => {
      // The process that had the address before may still have calls there.
      if (!this.lock) await this.serveSecondary(carrier);
      throw error;
    });
    if (!holdsLock) {
      carrier.serve(null);
      return this.serveSecondary(carrier);
    }
    await this.loadIfDue((numbers) => carrier.serve(numbers));
    carrier.serveSecondary(null);
    await this.trunks.noteStates(carrier);
    await this.certificate.refresh(carrier);
  }

  private async serveSecondary(carrier: SipCallCarrier): Promise<void> {
    if (!carrier.isShared) return;
    await carrier.openSecondary();
    await this.loadIfDue((numbers) => carrier.serveSecondary(numbers));
    await this.certificate.refresh(carrier);
  }

  private async loadIfDue(serve: (numbers: readonly TrunkNumber[]) => void): Promise<void> {
    const nowMs = performance.now();
    if (!this.hasChanged && nowMs - this.loadedAtMs <= RELOAD_MS) return;
    this.hasChanged = false;
    serve(await this.trunks.load());
    this.loadedAtMs = nowMs;
  }

  /** After a pause of this process: the trunks are left to the process that has them now. */
  private confirm(carrier: SipCallCarrier): Promise<void> {
    return this.inTurn(async () => {
      const isMain = this.lock !== null && (await this.holdsLock(carrier));
      if (!isMain) carrier.serve(null);
    });
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  /** Takes it where it is free. */
  private async holdsLock(carrier: SipCallCarrier): Promise<boolean> {
    if (this.lock && (await this.locks.confirm(this.lock))) return true;
    const isAgain = this.lock !== null;
    this.hasChanged ||= isAgain;
    await this.unlock();
    if (!(await this.takeLock(carrier))) {
      if (isAgain) this.logger.warn('SIP trunks left to another process', {});
      return false;
    }
    // The process that had them in between may have left calls.
    if (isAgain) carrier.takeover.ready();
    return true;
  }

  private async takeLock(carrier: SipCallCarrier): Promise<boolean> {
    const [lock] = await this.locks.tryLockAll('sipTrunks', [LOCK_ID]);
    if (!lock) return false;
    this.lock = lock;
    try {
      // The one of this process's start may have been renewed since.
      await this.certificate.refresh(carrier);
      await carrier.open();
      await this.trunks.forgetStates();
    } catch (error) {
      // Another machine may be able to.
      await this.unlock();
      throw error;
    }
    this.hasChanged = true;
    return true;
  }

  private async unlock(): Promise<void> {
    const { lock } = this;
    this.lock = null;
    if (lock) await this.locks.unlock(lock).catch((error: unknown) => this.warn(error));
  }

  /** Once for each problem, as rounds are frequent. */
  private warn(error: unknown): void {
    const problem = String(error);
    if (problem !== this.lastProblem) this.logger.error('SIP trunks not connected', { err: error });
    this.lastProblem = problem;
  }
}
