import { Injectable } from '@nestjs/common';
import type { InboundOffer } from '../../../providers/telephony/call/incoming-calls.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { ForwardsRepository } from './forwards.repository.js';

/** Recognises calls that Prosa has forwarded, so that no call goes round for ever. */
@Injectable()
export class ForwardsService {
  constructor(
    private readonly forwards: ForwardsRepository,
    private readonly numbers: PhoneNumbersService,
  ) {}

  /**
   * Whether an incoming call was forwarded by a number of this installation. The operator says so, or the caller is a number
   * that takes part in a forward under way: a forward shows the number it is placed from.
   */
  async wasForwarded({
    from,
    divertedFrom = [],
  }: Pick<InboundOffer, 'from' | 'divertedFrom'>): Promise<boolean> {
    for (const number of divertedFrom) if ((await this.numbers.findDialled(number)).length > 0) return true;
    const owners = await this.numbers.findDialled(from);
    return this.forwards.exists(
      owners.map(({ userId }) => userId),
      from,
    );
  }
}
