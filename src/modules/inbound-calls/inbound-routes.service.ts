import { Injectable } from '@nestjs/common';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import type { InboundOffer } from '../../providers/telephony/call/incoming-calls.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { AssistantActivationService } from '../assistants/activation/assistant-activation.service.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import type { NumberRouting } from '../inbound-routing/number-routing.js';
import { NumberRoutingsService } from '../inbound-routing/number-routings.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';

/** A number that is called, of one of the accounts that have it. */
interface DialledNumber {
  readonly id: number;
  readonly userId: number;
}

/** The number that a call is for. */
export interface CalledNumber extends DialledNumber {
  /** Null: only its assistant answers. */
  readonly routing: NumberRouting | null;
  /** The inbound assistant of the number; null where none is there that a call can use. */
  readonly assistant: RuntimeAssistant | null;
}

/** Decides whose number a call that comes in is for. */
@Injectable()
export class InboundRoutesService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly numbers: PhoneNumbersService,
    private readonly routings: NumberRoutingsService,
    private readonly assistants: AssistantsService,
    private readonly activation: AssistantActivationService,
  ) {}

  /**
   * The number with an active assistant or a routing, in any account with a trunk for it. Where the carrier knows the
   * account of the call, only that one counts. Else the number of the first account whose assistant was never used:
   * {@link activate} makes it active. Null when none is there.
   */
  async find(carrier: CallCarrier, { to, phoneNumberId: known }: InboundOffer): Promise<CalledNumber | null> {
    const numbers = await this.dialled(carrier, to);
    const called = known === undefined ? numbers : numbers.filter(({ id }) => id === known);
    const routings = await this.routings.findCalled(called.map(({ id }) => id));
    const undecided = (number: DialledNumber) =>
      number.userId === numbers[0]?.userId ? this.activation.findUndecided(number.id) : null;
    for (const number of called) {
      const routing = routings.get(number.id) ?? null;
      const assistant = await this.assistants.findAnswering(number.id);
      if (assistant) return { ...number, routing, assistant };
      if (routing) return { ...number, routing, assistant: await undecided(number) };
    }
    for (const number of called) {
      const assistant = await undecided(number);
      if (assistant) return { ...number, routing: null, assistant };
    }
    return null;
  }

  /** An assistant that a routing names; null for one that its owner has deactivated, or that is gone. */
  findNamed({ userId }: DialledNumber, assistantId: number): Promise<RuntimeAssistant | null> {
    return this.activation.findUsable(userId, assistantId);
  }

  /** Makes an assistant active by its first call. False when its owner has deactivated it since. */
  async activate({ userId, id, status }: RuntimeAssistant): Promise<boolean> {
    return status === 'active' || this.activation.use(userId, id, 'number-called');
  }

  /**
   * Those whose calls go through the carrier, the first account's first. No account gets another's calls by
   * connecting a trunk of the same number.
   */
  private async dialled(carrier: CallCarrier, to: string): Promise<readonly DialledNumber[]> {
    const numbers = await this.numbers.findDialled(to);
    return numbers
      .filter((number) => this.carriers.of(number).name === carrier.name)
      .map(({ id, userId }) => ({ id, userId }));
  }
}
