import { Injectable } from '@nestjs/common';
import type { BranchAction } from '../../common/phone/call-routing.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { Transactions } from '../../database/transactions.js';
import { text } from '../../i18n/catalogue.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { PhoneNumberNotFoundError } from '../phone-numbers/phone-numbers.errors.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { type ForwardingNumber, ForwardTargetsService } from './forward-targets.service.js';
import { inboundRoutingTexts } from './inbound-routing.texts.js';
import {
  BUSY,
  DEFAULT_LOOKUP_TIMEOUT_MS,
  isDefault,
  NO_ROUTING,
  type NumberRouting,
  type RoutedNumber,
} from './number-routing.js';
import { NumberRoutingsRepository } from './number-routings.repository.js';
import { type RoutingPreview, RoutingPreviewsService } from './routing-previews.service.js';

const PARTS = ['closed', 'unavailable'] as const;

/** What is sent of a routing; null clears a part. */
export type RoutingChanges = {
  readonly [Part in keyof NumberRouting]?: NumberRouting[Part] | null | undefined;
};

/** A routing, and what it does at the moment. */
export interface RoutingDetails {
  readonly routing: NumberRouting;
  readonly now: RoutingPreview;
}

/** Who answers the calls of each number. */
@Injectable()
export class NumberRoutingsService {
  constructor(
    private readonly routings: NumberRoutingsRepository,
    private readonly previews: RoutingPreviewsService,
    private readonly numbers: PhoneNumbersService,
    private readonly assistants: AssistantsService,
    private readonly forwards: ForwardTargetsService,
    private readonly transactions: Transactions,
  ) {}

  /** @throws PhoneNumberNotFoundError | ValidationFailedError */
  async get(userId: number, phoneNumberId: number): Promise<RoutingDetails> {
    const { routing } = await this.find(userId, phoneNumberId);
    return { routing, now: await this.previews.preview(userId, phoneNumberId, routing, new Date()) };
  }

  /**
   * Changes the parts that are sent. A routing that does nothing is not stored: its number is as one that never had any.
   *
   * @throws PhoneNumberNotFoundError | ValidationFailedError
   */
  async update(userId: number, phoneNumberId: number, changes: RoutingChanges): Promise<RoutingDetails> {
    const number = await this.findReceiving(userId, phoneNumberId);
    const before = await this.routingOf(userId, phoneNumberId);
    await this.checkAssistants(userId, changes, before);
    await this.checkForwards(number, changes, before);
    await this.transactions.run(async (tx) => {
      if (!(await this.numbers.lock(userId, phoneNumberId, tx))) throw new PhoneNumberNotFoundError();
      const stored = (await this.routings.findOf(userId, [phoneNumberId], tx)).get(phoneNumberId);
      const routing = changed(stored ?? NO_ROUTING, changes);
      if (isDefault(routing)) await this.routings.delete(userId, phoneNumberId, tx);
      else await this.routings.put(userId, phoneNumberId, routing, tx);
    });
    return this.get(userId, phoneNumberId);
  }

  /** The routings of called numbers, of any account; numbers without one are left out. */
  findCalled(phoneNumberIds: readonly number[]): Promise<ReadonlyMap<number, NumberRouting>> {
    return this.routings.findCalled(phoneNumberIds);
  }

  /**
   * A number with its routing.
   *
   * @throws PhoneNumberNotFoundError
   * @throws ValidationFailedError for a number that is only shown to those who are called, and receives no calls
   */
  async find(userId: number, phoneNumberId: number): Promise<RoutedNumber> {
    const { phoneNumber } = await this.findReceiving(userId, phoneNumberId);
    const routing = await this.routingOf(userId, phoneNumberId);
    return { id: phoneNumberId, userId, phoneNumber, routing };
  }

  private async findReceiving(
    userId: number,
    phoneNumberId: number,
  ): Promise<ForwardingNumber & { readonly type: string }> {
    const number = (await this.numbers.find(userId, phoneNumberId)) ?? PhoneNumberNotFoundError.throw();
    if (number.type === 'caller_id')
      throw ValidationFailedError.of('id', inboundRoutingTexts('number_routings.caller_id'));
    return number;
  }

  private async routingOf(userId: number, phoneNumberId: number): Promise<NumberRouting> {
    return (await this.routings.findOf(userId, [phoneNumberId])).get(phoneNumberId) ?? NO_ROUTING;
  }

  /** One that is stored already may be gone, as what was read can be sent back. */
  private async checkAssistants(
    userId: number,
    changes: RoutingChanges,
    stored: NumberRouting,
  ): Promise<void> {
    const sent = PARTS.flatMap((part) => {
      const id = assistantOf(changes[part] ?? BUSY);
      return id === null || id === assistantOf(stored[part]) ? [] : [{ field: `${part}.assistant_id`, id }];
    });
    if (sent.length === 0) return;
    const known = await this.assistants.namesOf(
      userId,
      sent.map(({ id }) => id),
    );
    const issues: FieldIssue[] = sent
      .filter(({ id }) => !known.has(id))
      .map(({ field }) => ({ field, text: text('validation.exists', { field }) }));
    ValidationFailedError.throwIfAny(issues);
  }

  /** A target that is stored already stays, whatever has changed since. */
  private async checkForwards(
    number: ForwardingNumber,
    changes: RoutingChanges,
    stored: NumberRouting,
  ): Promise<void> {
    const issues: FieldIssue[] = [];
    for (const part of PARTS) {
      const target = targetOf(changes[part] ?? BUSY);
      if (target === null || target === targetOf(stored[part])) continue;
      const refusal = await this.forwards.findRefusal(number, target);
      const field = `${part}.phone_number`;
      if (refusal) issues.push({ field, text: text(refusal, { field }) });
    }
    ValidationFailedError.throwIfAny(issues);
  }
}

function changed(
  stored: NumberRouting,
  { hours, closed, unavailable, lookupUrl, lookupTimeoutMs, queue }: RoutingChanges,
): NumberRouting {
  return {
    hours: hours === undefined ? stored.hours : hours,
    closed: closed === undefined ? stored.closed : (closed ?? BUSY),
    unavailable: unavailable === undefined ? stored.unavailable : (unavailable ?? BUSY),
    lookupUrl: lookupUrl === undefined ? stored.lookupUrl : lookupUrl,
    lookupTimeoutMs:
      lookupTimeoutMs === undefined ? stored.lookupTimeoutMs : (lookupTimeoutMs ?? DEFAULT_LOOKUP_TIMEOUT_MS),
    queue: queue === undefined ? stored.queue : queue,
  };
}

function targetOf(branch: BranchAction): string | null {
  return branch.action === 'forward' ? branch.phone_number : null;
}

function assistantOf(branch: BranchAction): number | null {
  return branch.action === 'assistant' ? branch.assistant_id : null;
}
