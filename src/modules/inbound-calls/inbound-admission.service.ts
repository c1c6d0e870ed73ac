import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Logger } from '../../common/observability/logger.js';
import { isUniqueViolation } from '../../database/database.js';
import { Transactions } from '../../database/transactions.js';
import type { CallCarrier, InboundOffer } from '../../providers/telephony/call-carrier.js';
import { CallCapacityService } from '../active-calls/capacity/call-capacity.service.js';
import { type CallLease, LEASE_MS } from '../active-calls/leases/call-lease.js';
import { CallRunnerService } from '../call-sessions/call-runner.service.js';
import { CallsService } from '../calls/calls.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import type { InboundRoute } from './inbound-routes.service.js';

/** Writes incoming calls, with their line and their money set aside. */
@Injectable()
export class InboundAdmissionService {
  constructor(
    private readonly calls: CallsService,
    private readonly capacity: CallCapacityService,
    private readonly runner: CallRunnerService,
    private readonly processes: VoiceProcessesService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  /** Whether this process can have the line of a call. */
  canCarry({ capabilities }: CallCarrier): boolean {
    return !capabilities.livesInProcess || this.runner.takesOwnLines;
  }

  /** Each process receives each call. The process that writes it answers it. */
  async admit(
    { name: carrier, isPaidByAccount, media }: CallCarrier,
    offer: InboundOffer,
    { assistant, phoneNumberId }: InboundRoute,
  ): Promise<CallLease | 'taken' | 'refused'> {
    try {
      return await this.transactions.run(async (tx) => {
        const call = await this.calls.open(
          assistant.userId,
          {
            type: 'inbound',
            assistantId: assistant.id,
            assistantName: assistant.name,
            carrier,
            assistantPhoneNumber: offer.to,
            clientPhoneNumber: offer.from,
            recordingEnabled: assistant.config.record,
          },
          tx,
        );
        const lease = this.runner.createLease(call.id, carrier);
        const begun = {
          stage: 'open',
          carrier,
          phoneNumberId,
          carrierCallId: offer.callId,
          voiceProcessId: 'audio' in media ? (this.processes.own?.id ?? null) : null,
          leaseToken: lease.token,
          leaseUntil: new Date(Date.now() + LEASE_MS),
        } as const;
        await this.capacity.take({ call, assistant }, begun, tx, { lineIsFree: isPaidByAccount });
        return lease;
      });
    } catch (error) {
      if (isUniqueViolation(error, 'active_calls_carrier_call_id_key')) return 'taken';
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn('inbound call turned away', { assistantId: assistant.id, err: error });
      return 'refused';
    }
  }
}
