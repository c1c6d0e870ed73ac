import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Logger } from '../../../common/observability/logger.js';
import { isUniqueViolation } from '../../../database/database.js';
import { Transactions } from '../../../database/transactions.js';
import {
  CallCarrier,
  type InboundOffer,
  type RejectReason,
} from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { AssistantsService, type RuntimeAssistant } from '../../assistants/assistants.service.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { CallCapacityService } from '../placement/call-capacity.service.js';
import { CallSessionsService } from './call-sessions.service.js';
import { CallsService } from '../calls.service.js';
import { type CallLease, LEASE_MS } from './call-lease.js';

const LISTEN_AGAIN_MS = 1_000;

/** Answers calls that come in to a number with an active inbound assistant, and turns the others away. */
@Injectable()
export class InboundCallsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly closing = new AbortController();
  private listening: Promise<void> = Promise.resolve();

  constructor(
    private readonly carrier: CallCarrier,
    private readonly numbers: PhoneNumbersService,
    private readonly assistants: AssistantsService,
    private readonly calls: CallsService,
    private readonly capacity: CallCapacityService,
    private readonly sessions: CallSessionsService,
    private readonly transactions: Transactions,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    if (this.carrier.capabilities.inbound) this.listening = this.listen();
  }

  async onModuleDestroy(): Promise<void> {
    this.closing.abort();
    await this.listening;
  }

  private async listen(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      try {
        for await (const offer of this.carrier.inboundOffers(signal)) {
          void this.answer(offer).catch((err: unknown) => this.logger.error('inbound call lost', { err }));
        }
      } catch (error) {
        this.logger.warn('not listening for inbound calls', { err: error });
      }
      await sleep(LISTEN_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async answer(offer: InboundOffer): Promise<void> {
    const assistant = await this.route(offer.to);
    if (!assistant) return this.turnAway(offer, 'unassigned');
    const lease = await this.open(offer, assistant);
    if (lease === 'refused') return this.turnAway(offer, 'busy');
    if (lease === 'taken') return;
    this.sessions.answer(lease, offer.callId);
  }

  /** A number behind SIP trunks of several accounts belongs to the one whose assistant answers it. */
  private async route(phoneNumber: string): Promise<RuntimeAssistant | null> {
    for (const { id } of await this.numbers.findDialled(phoneNumber)) {
      const assistant = await this.assistants.findAnswering(id);
      if (assistant) return assistant;
    }
    return null;
  }

  /** Every process hears of every call; the one that writes it answers it. */
  private async open(
    offer: InboundOffer,
    assistant: RuntimeAssistant,
  ): Promise<CallLease | 'taken' | 'refused'> {
    try {
      return await this.transactions.run(async (tx) => {
        const call = await this.calls.open(
          assistant.userId,
          {
            type: 'inbound',
            assistantId: assistant.id,
            assistantName: assistant.name,
            assistantPhoneNumber: offer.to,
            clientPhoneNumber: offer.from,
            recordingEnabled: assistant.config.record,
          },
          tx,
        );
        const lease = this.sessions.createLease(call.id);
        const begun = {
          stage: 'open',
          carrierCallId: offer.callId,
          leaseToken: lease.token,
          leaseUntil: new Date(Date.now() + LEASE_MS),
        } as const;
        await this.capacity.take({ call, assistant }, begun, tx);
        return lease;
      });
    } catch (error) {
      if (isUniqueViolation(error, 'active_calls_carrier_call_id_key')) return 'taken';
      if (!(error instanceof DomainError)) throw error;
      this.logger.warn('inbound call turned away', { assistantId: assistant.id, err: error });
      return 'refused';
    }
  }

  private async turnAway({ callId }: InboundOffer, reason: RejectReason): Promise<void> {
    try {
      await this.carrier.reject(callId, reason);
    } catch (error) {
      // Another process was quicker, or the caller gave up.
      if (!(error instanceof CallCarrierError)) throw error;
    }
  }
}
