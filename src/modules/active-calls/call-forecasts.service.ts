import { Injectable } from '@nestjs/common';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import type { Affordable } from '../billing/billing.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { CallCost } from './capacity/call-prices.js';
import { CallCapacityService } from './capacity/call-capacity.service.js';

/** Says whether a call could begin now. Nothing is locked or set aside. */
@Injectable()
export class CallForecastsService {
  constructor(
    private readonly capacity: CallCapacityService,
    private readonly assistants: AssistantsService,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
  ) {}

  /**
   * Why the account could not pay for a call now; null when it could.
   *
   * @param phoneNumberId from which it would be made; null for the number of the assistant
   */
  async findMoneyShortage(
    userId: number,
    assistantId: number,
    phoneNumberId: number | null,
  ): Promise<Affordable['shortage']> {
    const assistant = await this.assistants.find(userId, assistantId);
    if (!assistant) return null;
    const lineIsFree = await this.isLineFree(userId, phoneNumberId ?? assistant.phoneNumberId);
    return this.capacity.moneyShortageOf(userId, assistant, { lineIsFree });
  }

  /**
   * What a minute of a telephone call costs now, and whether the account pays the carrier itself.
   *
   * @param phoneNumberId from which it would be made; null for a number of the installation
   */
  async minuteCost(
    userId: number,
    phoneNumberId: number | null,
  ): Promise<CallCost & { readonly lineIsFree: boolean }> {
    const lineIsFree = await this.isLineFree(userId, phoneNumberId);
    return { ...this.capacity.minuteCost({ lineIsFree }), lineIsFree };
  }

  private async isLineFree(userId: number, phoneNumberId: number | null): Promise<boolean> {
    const number = phoneNumberId === null ? null : await this.numbers.find(userId, phoneNumberId);
    return this.carriers.of(number).isPaidByAccount;
  }
}
