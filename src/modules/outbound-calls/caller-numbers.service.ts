import { Injectable } from '@nestjs/common';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { NoCallerNumberError } from '../calls/calls.errors.js';
import { SANDBOX_NUMBER } from '../../common/phone/stored-number.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';

/** Chooses the number from which an assistant calls. */
@Injectable()
export class CallerNumbersService {
  constructor(
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
  ) {}

  /** @throws NoCallerNumberError */
  async find(
    userId: number,
    { phoneNumberId: chosenId }: AssistantDetails,
  ): Promise<{ from: string; phoneNumberId: number | null; carrier: CallCarrier }> {
    const chosen = chosenId === null ? null : await this.numbers.find(userId, chosenId);
    const owned = chosen ? [chosen] : await this.numbers.listOwned(userId);
    // A caller id is used only where the account chose it.
    const first = owned.find(({ type }) => type !== 'caller_id') ?? owned[0];
    const carrier = this.carriers.of(first ?? null);
    if (first) return { from: first.phoneNumber, phoneNumberId: first.id, carrier };
    if (!carrier.capabilities.reachesPeople) return { from: SANDBOX_NUMBER, phoneNumberId: null, carrier };
    throw new NoCallerNumberError();
  }
}
