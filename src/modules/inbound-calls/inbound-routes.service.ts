import { Injectable } from '@nestjs/common';
import type { CallCarrier, InboundOffer } from '../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { AssistantActivationService } from '../assistants/activation/assistant-activation.service.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';

/** Who answers a call. */
export interface InboundRoute {
  readonly assistant: RuntimeAssistant;
  readonly phoneNumberId: number;
}

/** A number that is called, of one of the accounts that have it. */
interface DialledNumber {
  readonly id: number;
  readonly userId: number;
}

/** Decides whose assistant answers a call that comes in. */
@Injectable()
export class InboundRoutesService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly numbers: PhoneNumbersService,
    private readonly assistants: AssistantsService,
    private readonly activation: AssistantActivationService,
  ) {}

  /**
   * The active assistant of the number, in any account with a trunk for it. Where the carrier knows the account of
   * the call, only that one counts. Else the assistant of the first account that was never used: {@link activate}
   * makes it active. Null when neither is there.
   */
  async find(carrier: CallCarrier, { to, phoneNumberId: known }: InboundOffer): Promise<InboundRoute | null> {
    const numbers = await this.dialled(carrier, to);
    const called = known === undefined ? numbers : numbers.filter(({ id }) => id === known);
    for (const { id: phoneNumberId } of called) {
      const assistant = await this.assistants.findAnswering(phoneNumberId);
      if (assistant) return { assistant, phoneNumberId };
    }
    for (const { id: phoneNumberId } of called.filter(({ userId }) => userId === numbers[0]?.userId)) {
      const assistant = await this.activation.findUndecided(phoneNumberId);
      if (assistant) return { assistant, phoneNumberId };
    }
    return null;
  }

  /** Makes the assistant of a route active by its first call. False when its owner has deactivated it since. */
  async activate({ assistant: { userId, id, status } }: InboundRoute): Promise<boolean> {
    return status === 'active' || this.activation.use(userId, id, 'number-called');
  }

  /**
   * Those whose calls go through the carrier, the first account's first. No account gets another's calls by
   * connecting a trunk of the same number.
   */
  private async dialled(carrier: CallCarrier, to: string): Promise<readonly DialledNumber[]> {
    const numbers = await this.numbers.findDialled(to);
    return numbers.filter((number) => this.carriers.of(number).name === carrier.name);
  }
}
