import { Injectable } from '@nestjs/common';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import type { AssistantType } from '../settings/assistant-config.js';
import { InboundAssistantsRepository } from './inbound-assistants.repository.js';

/** A number an assistant may be given. */
export interface AssistantNumber {
  readonly id: number;
  readonly phoneNumber: string;
  readonly countryCode: string;
  readonly type: 'normal' | 'sip' | 'caller_id';
  /** Whether an assistant of the asked type can be given it now; of the inbound type, where none was asked. */
  readonly isAvailable: boolean;
}

@Injectable()
export class AssistantNumbersService {
  constructor(
    private readonly inbound: InboundAssistantsRepository,
    private readonly numbers: PhoneNumbersService,
  ) {}

  /** The caller's numbers; for inbound only those that can still be given to an inbound assistant. */
  async list(userId: number, type?: AssistantType): Promise<AssistantNumber[]> {
    const [numbers, taken] = await Promise.all([
      this.numbers.listOwned(userId),
      this.inbound.inboundNumberIds(userId),
    ]);
    return numbers
      .map((number) => ({
        id: number.id,
        phoneNumber: number.phoneNumber,
        countryCode: number.countryCode,
        type: number.type,
        isAvailable: type === 'outbound' || (number.type !== 'caller_id' && !taken.has(number.id)),
      }))
      .filter(({ isAvailable }) => type !== 'inbound' || isAvailable);
  }
}
