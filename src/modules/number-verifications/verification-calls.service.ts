import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SpokenCodes } from '../../common/crypto/spoken-codes.js';
import { DrainService } from '../../common/http/connections/drain.service.js';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { Logger } from '../../common/observability/logger.js';
import { CallsConfig, ServerConfig } from '../../config/config.js';
import { Transactions } from '../../database/transactions.js';
import type { CallCarrier, SecondLegLine } from '../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { CallTalks } from '../../runtime/call/call-talks.js';
import { HoldExpiredError } from '../billing/billing.errors.js';
import { BillingService } from '../billing/billing.service.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { CallRateLimiter } from '../active-calls/rate-limit/call-rate-limiter.js';
import type { NumberVerification } from './number-verification.entity.js';
import { NumberVerificationsRepository } from './number-verifications.repository.js';
import { VerificationCall, type VerificationCallResult } from './verification-call.js';
import { verificationPriceMicros } from './verification-prices.js';
import { codePurpose, spokenCode } from './verification-words.js';

/** What was not heard of is found by then. */
const LOOK_MS = 5_000;
const MAX_AT_ONCE = 5;

const NOT_MADE: VerificationCallResult = { failure: 'call-failed', answeredSeconds: 0 };

/**
 * Makes the calls that prove numbers, in a process that can place and speak on them. They are no rows of `calls`: all that
 * lists, records, transcribes, evaluates and delivers calls would have to leave the code out. A call is placed once or never;
 * the one of a process that dies has failed, and its code, if it was spoken, is still good.
 */
@Injectable()
export class VerificationCallsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private readonly calls = new Set<Promise<void>>();
  private running: Promise<void> = Promise.resolve();
  private wake: () => void = () => {};

  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly codes: SpokenCodes,
    private readonly carriers: CallCarriers,
    private readonly breaker: CarrierBreakerService,
    private readonly rateLimiter: CallRateLimiter,
    private readonly talks: CallTalks,
    private readonly billing: BillingService,
    private readonly transactions: Transactions,
    private readonly live: LiveEventsService,
    private readonly drain: DrainService,
    private readonly server: ServerConfig,
    private readonly config: CallsConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.server.roles.has('worker') && !this.server.roles.has('voice')) return;
    this.drain.signal.addEventListener('abort', () => this.closing.abort());
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
    const names = this.carriers.ofNumbers.filter((carrier) => this.serves(carrier)).map(({ name }) => name);
    if (free <= 0 || names.length === 0) return;
    for (const verification of await this.verifications.claim(names, free)) {
      const call = this.make(verification).finally(() => {
        this.calls.delete(call);
        this.wake();
      });
      this.calls.add(call);
    }
  }

  /** Words are carried by workers, sound by the process that has the lines. */
  private serves({ media, placesHere }: CallCarrier): boolean {
    return 'text' in media ? this.server.roles.has('worker') : this.talks.canSpeak && placesHere;
  }

  private async make(verification: NumberVerification): Promise<void> {
    const { id } = verification;
    const result = await this.call(verification).catch((err: unknown) => {
      this.logger[err instanceof CallCarrierError ? 'warn' : 'error']('verification call failed', {
        verificationId: id,
        err,
      });
      return NOT_MADE;
    });
    try {
      await this.finish(verification, result);
    } catch (err) {
      this.logger.error('end of a verification call not written', { verificationId: id, err });
    }
  }

  private async call(verification: NumberVerification): Promise<VerificationCallResult> {
    const { id, userId, language, callerNumberId: phoneNumberId } = verification;
    const carrier = this.carriers.named(verification.carrier);
    // The account is not made to wait for a code, of which it may ask for few.
    const paced = { carrier, userId, phoneNumberId, callsPerSecond: null };
    if (!(await this.rateLimiter.takeTurn(paced))) return { failure: 'not-placed', answeredSeconds: 0 };
    const beginCode = async () => {
      const code = this.codes.create();
      const words = spokenCode(language, code).map(({ text }) => text);
      const sandboxWords = carrier.capabilities.reachesPeople ? null : words.join(' ');
      return (await this.verifications.beginCode(id, this.codes.hash(codePurpose(id), code), sandboxWords))
        ? code
        : null;
    };
    const { signal } = this.closing;
    return new VerificationCall(verification, {
      line: this.lineOf(carrier),
      capabilities: carrier.capabilities,
      talks: this.talks,
      beginCode,
      signal,
    }).run();
  }

  private lineOf(carrier: CallCarrier): SecondLegLine {
    return {
      media: carrier.media,
      place: (request) => this.breaker.pass(carrier.name, () => carrier.place(request)),
      watch: (callId, signal) => carrier.watch(callId, signal),
      hangUp: (callId) => carrier.hangUp(callId),
      sendDigits: (callId, digits) => carrier.sendDigits(callId, digits),
    };
  }

  private async finish(
    { id, holdId }: NumberVerification,
    { failure, answeredSeconds }: VerificationCallResult,
  ): Promise<void> {
    await this.transactions.run(async (tx) => {
      await this.verifications.end(id, failure, tx);
      if (holdId === null) return;
      const priceMicros = verificationPriceMicros(answeredSeconds, this.config);
      try {
        await this.billing.capturePart(holdId, priceMicros, tx);
      } catch (error) {
        if (!(error instanceof HoldExpiredError)) throw error;
        this.logger.warn('verification call not charged: its hold was gone', { verificationId: id });
      }
    });
  }
}
