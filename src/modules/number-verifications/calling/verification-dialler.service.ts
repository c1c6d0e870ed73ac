import { Injectable } from '@nestjs/common';
import { SpokenCodes } from '../../../common/crypto/spoken-codes.js';
import { ServerConfig } from '../../../config/config.js';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import type { SecondLegLine } from '../../../providers/telephony/call/call-line.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { SessionFactories } from '../../../runtime/call/session-factories.js';
import { CarrierBreakerService } from '../../active-calls/carrier-breaker/carrier-breaker.service.js';
import { CallRateLimiter } from '../../active-calls/rate-limit/call-rate-limiter.js';
import type { NumberVerification } from '../number-verification.entity.js';
import { NumberVerificationsRepository } from '../number-verifications.repository.js';
import { VerificationCall, type VerificationCallResult } from './verification-call.js';
import { codePurpose, spokenCode } from './verification-words.js';

/** Places the call of a verification and speaks the code on it. */
@Injectable()
export class VerificationDiallerService {
  constructor(
    private readonly verifications: NumberVerificationsRepository,
    private readonly codes: SpokenCodes,
    private readonly carriers: CallCarriers,
    private readonly breaker: CarrierBreakerService,
    private readonly rateLimiter: CallRateLimiter,
    private readonly factories: SessionFactories,
    private readonly server: ServerConfig,
  ) {}

  /** Names of the carriers over whose lines this process can speak. */
  servedCarriers(): string[] {
    return this.carriers.ofNumbers.filter((carrier) => this.serves(carrier)).map(({ name }) => name);
  }

  /** @param signal ends the call */
  async call(verification: NumberVerification, signal: AbortSignal): Promise<VerificationCallResult> {
    const { id, userId, language, callerNumberId: phoneNumberId } = verification;
    const carrier = this.carriers.named(verification.carrier);
    // The account is not made to wait for a code, of which it may ask for few.
    const paced = { carrier, userId, phoneNumberId, callsPerSecond: null };
    if (!(await this.rateLimiter.acquire(paced))) return { failure: 'not-placed', answeredSeconds: 0 };
    const beginCode = async () => {
      const code = this.codes.create();
      const words = spokenCode(language, code).map(({ text }) => text);
      const sandboxWords = carrier.capabilities.reachesPeople ? null : words.join(' ');
      return (await this.verifications.beginCode(id, this.codes.hash(codePurpose(id), code), sandboxWords))
        ? code
        : null;
    };
    return new VerificationCall(verification, {
      line: this.lineOf(carrier),
      capabilities: carrier.capabilities,
      factories: this.factories,
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

  /** Words are carried by workers, sound by the process that has the lines. */
  private serves({ media, placesHere }: CallCarrier): boolean {
    return 'text' in media ? this.server.roles.has('worker') : this.factories.canSpeak && placesHere;
  }
}
