import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { ServerConfig } from '../../config/config.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer, RejectReason } from '../../providers/telephony/call/incoming-calls.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import { SessionFactories } from '../../runtime/call/session-factories.js';
import { AnswerAttemptsService } from './answer-attempts.service.js';
import { TurnedAwayCallsService } from './turned-away-calls.service.js';
import { InboundRoutesService } from './inbound-routes.service.js';
import { VerificationGuardService } from '../number-verifications/verification-guard.service.js';

const LISTEN_AGAIN_MS = 1_000;

/** Answers calls that come in to a number with an inbound assistant that its owner lets answer, and turns the others away. */
@Injectable()
export class InboundCallsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private listening: readonly Promise<void>[] = [];

  constructor(
    private readonly carriers: CallCarriers,
    private readonly routes: InboundRoutesService,
    private readonly attempts: AnswerAttemptsService,
    private readonly turnedAway: TurnedAwayCallsService,
    private readonly verifications: VerificationGuardService,
    private readonly factories: SessionFactories,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.listening = this.carriers.all
      .filter((carrier) => carrier.capabilities.inbound && this.mayTalkOn(carrier))
      .map((carrier) => this.listen(carrier));
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await Promise.all(this.listening);
  }

  /** Words are carried by workers, sound by voice processes, and API processes have a carrier speak or forward by itself. */
  private mayTalkOn(carrier: CallCarrier): boolean {
    const { roles } = this.server;
    if ('text' in carrier.media) return roles.has('worker');
    return this.factories.canSpeak || (carrier.announce !== undefined && roles.has('api'));
  }

  private async listen(carrier: CallCarrier): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      try {
        for await (const offer of carrier.inboundOffers(signal)) void this.take(carrier, offer);
      } catch (error) {
        this.logger.warn('not listening for inbound calls', { carrier: carrier.name, err: error });
      }
      await sleep(LISTEN_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Never fails. */
  private async take(listened: CallCarrier, offer: InboundOffer): Promise<void> {
    const { carrierAccountId } = offer;
    // Who fails, whose numbers may be meant, and with what the call is ended: all that is the account's.
    const carrier = carrierAccountId === undefined ? listened : listened.ofAccount(carrierAccountId);
    if (!carrier) return void (await this.reject(listened, offer, 'unassigned'));
    try {
      await this.answer(carrier, offer);
    } catch (err) {
      this.logger.error('inbound call not answered', { carrier: carrier.name, err });
      // No other process has heard of it, and the caller would hear it ring for minutes.
      if (carrier.capabilities.livesInProcess) await this.reject(carrier, offer, 'full');
    }
  }

  private async answer(carrier: CallCarrier, offer: InboundOffer): Promise<void> {
    const canCarry = this.attempts.canCarry(carrier);
    // A routing of the number cannot know that another process has room.
    if (!canCarry && (await this.attempts.passesOn(carrier)))
      return void (await this.reject(carrier, offer, 'full'));
    const number = await this.routes.find(carrier, offer);
    if (!number) return void (await this.reject(carrier, offer, canCarry ? 'unassigned' : 'full'));
    if (canCarry && (await this.verifications.isForCode(offer, number.id)))
      return void (await this.reject(carrier, offer, 'busy'));
    const outcome = await this.attempts.answer(carrier, offer, number);
    if (outcome === 'answered') return;
    if (outcome === 'full') return void (await this.reject(carrier, offer, 'full'));
    const isRejected = await this.reject(carrier, offer, outcome.hears);
    if (isRejected) await this.turnedAway.record(carrier, offer, number, outcome);
  }

  /** Never fails. Returns whether this process has turned the call away. */
  private async reject(
    carrier: CallCarrier,
    { callId }: InboundOffer,
    reason: RejectReason,
  ): Promise<boolean> {
    try {
      await carrier.reject(callId, reason);
      return true;
    } catch (err) {
      // Else another process was quicker, or the caller gave up.
      if (!(err instanceof CallCarrierError))
        this.logger.error('inbound call not turned away', { carrier: carrier.name, err });
      return false;
    }
  }
}
