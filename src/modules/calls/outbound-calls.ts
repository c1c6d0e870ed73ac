import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { Clock } from '../../common/time/clock.js';
import { CallsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { AssistantNotFoundError } from '../assistants/assistants.errors.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { DoNotCallService } from '../do-not-call/do-not-call.service.js';
import { CallCapacity } from './call-capacity.service.js';
import { CallEndings } from './call-endings.service.js';
import { CallRunsRepository } from './call-runs.repository.js';
import { CallSending, type SendResult } from './call-sending.service.js';
import type { Call } from './call.entity.js';
import { isCallingHour } from './calling-hours.js';
import { CallLostError, DoNotCallError, OutsideCallingHoursError } from './calls.errors.js';
import { CallsRepository } from './calls.repository.js';
import { CallsService } from './calls.service.js';

export type { SendResult } from './call-sending.service.js';

export interface OutboundCall {
  readonly userId: number;
  readonly assistantId: number;
  /** E.164, as is `to`. */
  readonly from: string;
  readonly to: string;
  /** UUID; the carrier's key. */
  readonly attemptId: string;
  readonly campaignId: number | null;
  readonly leadId: number | null;
  readonly variables: Readonly<Record<string, unknown>>;
}

export type CallOutcome = Pick<Call, 'status' | 'answeredBy' | 'evaluation' | 'durationSeconds' | 'endedAt'>;

/** Outbound calls, for whoever has a reason to call: reserved in the caller's transaction, then sent. */
@Injectable()
export class OutboundCalls {
  constructor(
    private readonly calls: CallsService,
    private readonly repository: CallsRepository,
    private readonly runs: CallRunsRepository,
    private readonly capacity: CallCapacity,
    private readonly sending: CallSending,
    private readonly endings: CallEndings,
    private readonly assistants: AssistantsService,
    private readonly doNotCall: DoNotCallService,
    private readonly carrier: CallCarrier,
    private readonly config: CallsConfig,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Writes the call, with its money and its line set aside, in the caller's transaction. Nobody is called yet.
   *
   * @throws AssistantNotFoundError | DoNotCallError | OutsideCallingHoursError | ParallelCallsLimitError
   * @throws InsufficientBalanceError | DailySpendCapError when the longest possible call cannot be paid
   */
  async reserve(tx: Tx, request: OutboundCall): Promise<{ callId: number }> {
    const { userId, to } = request;
    const assistant = await this.assistants.find(userId, request.assistantId, tx);
    if (!assistant) throw new AssistantNotFoundError();
    if (this.keepsHours && !isCallingHour(to, this.clock.date())) throw new OutsideCallingHoursError();
    if (await this.doNotCall.isListed(userId, to, tx)) throw new DoNotCallError();
    const campaignName =
      request.campaignId === null
        ? null
        : await this.repository.campaignNameOf(userId, request.campaignId, tx);
    const call = await this.calls.open(
      userId,
      {
        type: 'outbound',
        assistantId: assistant.id,
        assistantName: assistant.name,
        campaignId: request.campaignId,
        campaignName,
        leadId: request.leadId,
        attemptId: request.attemptId,
        assistantPhoneNumber: request.from,
        clientPhoneNumber: to,
        inputVariables: { ...request.variables },
        variables: { ...request.variables },
        recordingEnabled: assistant.config.record,
      },
      tx,
    );
    await this.capacity.take({ call, assistant }, {}, tx);
    return { callId: call.id };
  }

  /**
   * Asks the carrier for a reserved call; the one place that does. To be called under a lock that no other process can
   * have, held until this returns. Calling it again is safe: a call that the carrier has is not dialled again.
   *
   * - `sent`: the carrier has the call, and this process follows it to its end
   * - `not-sent`: surely nobody was called; the call has failed
   * - `unknown`: the carrier does not answer; to be called again later, and the call fails in the end
   */
  send(callId: number): Promise<SendResult> {
    return this.sending.send(callId);
  }

  /** Ends the calls of a campaign: those that wait are not dialled any more, the others hear the line go dead. */
  async stopCampaignCalls(userId: number, campaignId: number): Promise<void> {
    for (const callId of await this.runs.findWaitingOfCampaign(userId, campaignId)) await this.cancel(callId);
    for (const carrierCallId of await this.runs.findOfCampaign(userId, campaignId)) {
      try {
        await this.carrier.hangUp(carrierCallId);
      } catch (error) {
        this.logger.warn('call of a stopped campaign goes on', { campaignId, err: error });
      }
    }
  }

  /** How a call stands; null when there is none. */
  async outcomeOf(callId: number): Promise<CallOutcome | null> {
    return this.runs.findCall(callId);
  }

  private get keepsHours(): boolean {
    const { callingHours } = this.config;
    // What goes over the line as text is no telephone network, and rings with nobody.
    return callingHours === 'on' || (callingHours === 'auto' && this.carrier.capabilities.media === 'audio');
  }

  private async cancel(callId: number): Promise<void> {
    const found = await this.runs.find(callId);
    if (found?.run.stage !== 'waiting' || !(await this.runs.beginSending(callId))) return;
    try {
      await this.endings.unanswered(found, 'failed', null);
    } catch (error) {
      if (!(error instanceof CallLostError)) throw error;
    }
  }
}
