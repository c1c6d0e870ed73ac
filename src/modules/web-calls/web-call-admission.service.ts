import { Injectable } from '@nestjs/common';
import { WebCallCarrier } from '../../providers/telephony/web/web-call-carrier.js';
import type { WebCallConnection } from '../../providers/telephony/web/web-call-connection.js';
import { CallRecoveryService } from '../call-recovery/call-recovery.service.js';
import { WebCallsRepository } from './web-calls.repository.js';

/** Lets each web call begin, in the voice process that has it, when its customer has connected with the right token. */
@Injectable()
export class WebCallAdmissionService {
  constructor(
    private readonly webCalls: WebCallsRepository,
    private readonly recovery: CallRecoveryService,
    private readonly carrier: WebCallCarrier,
  ) {}

  /**
   * The customer of a call, for the first time or again.
   *
   * @param tokenHash SHA-256 of the token that was shown
   * @returns false when it is not the token of the call, came too late, or the call is over
   */
  async admit(callId: number, tokenHash: Buffer, connection: WebCallConnection): Promise<boolean> {
    const redemption = await this.webCalls.redeem(callId, tokenHash);
    if (!redemption) return false;
    // Places it with the carrier of this very process, to which it was given, and where its sound comes in.
    if (redemption.isFirst) await this.recovery.lookAfter({ callId });
    return this.carrier.connect(redemption.attemptId, connection);
  }
}
