import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DrainService } from '../../../common/http/connections/drain.service.js';
import { LiveEventsService } from '../../../common/live/live-events.service.js';
import { Logger } from '../../../common/observability/logger.js';
import { ServerConfig } from '../../../config/config.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { NumberVerification } from '../number-verification.entity.js';
import { NumberVerificationsRepository } from '../number-verifications.repository.js';
import type { VerificationCallResult } from './verification-call.js';
import { VerificationChargesService } from './verification-charges.service.js';
import { VerificationDiallerService } from './verification-dialler.service.js';

/** What was not heard of is found by then. */
const LOOK_MS = 5_000;
const MAX_AT_ONCE = 5;

const NOT_MADE: VerificationCallResult = { failure: 'call-failed', answeredSeconds: 0 };

/**
 * Makes the calls that prove numbers, in a process that can place and speak on them. They are no rows of `calls`: all
 * that lists, records, transcribes, evaluates and delivers calls would have to leave the code out. A call is placed
 * once or never. A call whose process dies has failed; its code stays valid if it was spoken.
 */
@Injectable()
export class VerificationCallsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly calls = new Set<Promise<void>>();
  private running: Promise<void> = Promise.resolve();
  private wake: () => void = () => {};

  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly dialler: VerificationDiallerService,
    private readonly charges: VerificationChargesService,
    private readonly live: LiveEventsService,
    private readonly drain: DrainService,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.server.roles.has('worker') && !this.server.roles.has('voice')) return;
    this.drain.leaving.addEventListener('abort', () => this.closing.abort());
    const unsubscribe = this.live.subscribe('number-verifications', () => this.wake());
    this.running = this.run().finally(unsubscribe);
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.running;
    await Promise.all(this.calls);
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      await this.takeDue().catch((err: unknown) =>
        this.logger.warn('verification calls not looked for', { err }),
      );
      await Promise.race([woken, sleep(LOOK_MS, undefined, { signal }).catch(() => undefined)]);
    }
  }

  private async takeDue(): Promise<void> {
    const free = MAX_AT_ONCE - this.calls.size;
    const names = this.dialler.servedCarriers();
    if (free <= 0 || names.length === 0) return;
    for (const verification of await this.verifications.claim(names, free)) {
      const call = this.make(verification).finally(() => {
        this.calls.delete(call);
        this.wake();
      });
      this.calls.add(call);
    }
  }

  private async make(verification: NumberVerification): Promise<void> {
    const { id } = verification;
    const result = await this.dialler.call(verification, this.closing.signal).catch((err: unknown) => {
      this.logger[err instanceof CallCarrierError ? 'warn' : 'error']('verification call failed', {
        verificationId: id,
        err,
      });
      return NOT_MADE;
    });
    try {
      await this.charges.finish(verification, result);
    } catch (err) {
      this.logger.error('end of a verification call not written', { verificationId: id, err });
    }
  }
}
