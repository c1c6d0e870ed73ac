import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import { CallerLookupsService } from '../../caller-lookups/caller-lookups.service.js';
import { faulty, type LookupResult } from '../../caller-lookups/lookup.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { ForwardTargetsService } from '../forward-targets.service.js';
import type { RoutedNumber } from '../number-routing.js';
import { RoutingPreviewsService } from '../routing-previews.service.js';
import { type FinishedLookup, type LookupKey, NumberLookupsRepository } from './number-lookups.repository.js';

/** A call that rings, or a test. */
export interface RingingCall {
  /** The carrier's id of the call; of a test, an id of its own. */
  readonly offerId: string;
  /** As the carrier shows the caller: E.164, an extension, or `anonymous`. */
  readonly customerPhone: string;
  /** When it came in, or is meant to. */
  readonly at: Date;
  /** Id that the call gets when it is written; null for a test. */
  readonly callId: number | null;
  readonly sipHeaders: Readonly<Record<string, string>>;
  readonly isTest?: boolean;
}

/** Looks up the callers of numbers while their calls ring, and keeps what came of the last lookups. */
@Injectable()
export class NumberLookupsService {
  constructor(
    private readonly repository: NumberLookupsRepository,
    private readonly lookups: CallerLookupsService,
    private readonly previews: RoutingPreviewsService,
    private readonly numbers: PhoneNumbersService,
    private readonly targets: ForwardTargetsService,
  ) {}

  /**
   * Waits for the answer, so call it outside of transactions.
   *
   * @returns null where the number has no lookup; `taken` where another process has asked for this call
   */
  async ask(number: RoutedNumber, call: RingingCall): Promise<LookupResult | 'taken' | null> {
    const { id, userId, routing } = number;
    if (routing.lookupUrl === null) return null;
    const isBegun = await this.repository.begin({ phoneNumberId: id, offerId: call.offerId }, userId);
    if (!isBegun) return 'taken';
    const { assistant } = await this.previews.preview(userId, id, routing, call.at);
    const asked = await this.lookups.ask({
      userId,
      url: routing.lookupUrl,
      timeoutMs: routing.lookupTimeoutMs,
      type: 'inbound',
      assistantId: assistant?.id ?? null,
      customerPhone: call.customerPhone.startsWith('+') ? call.customerPhone : null,
      assistantPhone: number.phoneNumber,
      phoneNumberId: id,
      callId: call.callId,
      conversationId: null,
      sipHeaders: call.sipHeaders,
      ...(call.isTest && { isTest: true }),
    });
    const result = await this.checked(number, asked);
    await this.repository.finish({ phoneNumberId: id, offerId: call.offerId }, result);
    return result;
  }

  /** Drops an answer that forwards the call to where calls of the number may not go. */
  private async checked({ id, userId }: RoutedNumber, result: LookupResult): Promise<LookupResult> {
    const { answer } = result;
    if (answer?.action !== 'forward' || answer.phoneNumber === null) return result;
    const number = await this.numbers.find(userId, id);
    const refusal = number && (await this.targets.findRefusal(number, answer.phoneNumber));
    return number && !refusal ? result : { ...result, ...faulty('bad_phone_number') };
  }

  /** Notes that a call whose caller was looked up has been written. */
  setCall(key: LookupKey, callId: number, tx: Tx): Promise<void> {
    return this.repository.setCall(key, callId, tx);
  }

  /** The newest lookups of a number, the newest first. */
  list(userId: number, phoneNumberId: number): Promise<FinishedLookup[]> {
    return this.repository.list(userId, phoneNumberId);
  }
}
