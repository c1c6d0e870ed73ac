import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../database/transactions.js';
import { WebCallCarrier } from '../../providers/telephony/web/web-call-carrier.js';
import type { WebCallConnection } from '../../providers/telephony/web/web-call-connection.js';
import { CLOSE } from '../../providers/telephony/web/web-call-protocol.js';
import { ReservedLinesService } from '../active-calls/capacity/reserved-lines.service.js';
import { CallRecoveryService } from '../call-recovery/call-recovery.service.js';
import { ParallelCallsLimitError, VisitorCallsLimitError } from '../calls/calls.errors.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { VisitorCallLimitsService } from './visitor-call-limits.service.js';
import { type Redemption, WebCallsRepository } from './web-calls.repository.js';

type Refusal = typeof CLOSE.unauthorized | typeof CLOSE.tooMuch;

/** Lets each web call begin, in the voice process that has it, when its customer has connected with the right token. */
@Injectable()
export class WebCallAdmissionService {
  constructor(
    private readonly webCalls: WebCallsRepository,
    private readonly lines: ReservedLinesService,
    private readonly limits: VisitorCallLimitsService,
    private readonly processes: VoiceProcessesService,
    private readonly recovery: CallRecoveryService,
    private readonly carrier: WebCallCarrier,
    private readonly transactions: Transactions,
  ) {}

  /**
   * The customer of a call, for the first time or again.
   *
   * @param tokenHash SHA-256 of the token that was shown
   * @returns the code to close the connection with; null when it is admitted. `unauthorized`: it is not the token of the call,
   *   came too late, or the call is over. `tooMuch`: no line is free, and the token stays valid
   */
  async admit(callId: number, tokenHash: Buffer, connection: WebCallConnection): Promise<Refusal | null> {
    const redemption = await this.redeem(callId, tokenHash);
    if (redemption === 'no-line') return CLOSE.tooMuch;
    if (!redemption) return CLOSE.unauthorized;
    // Places it with the carrier of this very process, to which it was given, and where its sound comes in.
    if (redemption.isFirst) await this.recovery.lookAfter({ callId });
    return this.carrier.connect(redemption.attemptId, connection) ? null : CLOSE.unauthorized;
  }

  private async redeem(callId: number, tokenHash: Buffer): Promise<Redemption | 'no-line' | null> {
    try {
      return await this.transactions.run(async (tx) => {
        const redemption = await this.webCalls.redeem(callId, tokenHash, tx);
        if (redemption?.isFirst) await this.takeLine(callId, redemption, tx);
        return redemption;
      });
    } catch (error) {
      if (error instanceof ParallelCallsLimitError || error instanceof VisitorCallsLimitError)
        return 'no-line';
      throw error;
    }
  }

  private async takeLine(callId: number, redemption: Redemption, tx: Tx): Promise<void> {
    const { userId, assistantId, visitor } = redemption;
    const wasKept = await this.lines.keep({ id: callId, userId }, this.processes.ownId, tx);
    if (!wasKept && visitor !== null) await this.limits.check(assistantId, visitor, tx);
  }
}
