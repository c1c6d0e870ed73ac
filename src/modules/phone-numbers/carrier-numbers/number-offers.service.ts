import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import type { NumberOffer } from '../../../providers/telephony/number-carrier.js';
import { NumberCarriers } from '../../../providers/telephony/number-carriers.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import type { SearchNumbersQuery } from '../dto/phone-number.request.js';
import { NumberNotForSaleError, UnreadableNumberError } from '../phone-numbers.errors.js';
import { PhoneNumbersRepository } from '../phone-numbers.repository.js';
import { readPhone } from '../phone-text.js';
import { askCarrier } from './carrier-answers.js';

const SEARCH_RESULTS = 30;
const SEARCH_GROWTH = 4;

/** Numbers that carriers offer for rent. */
@Injectable()
export class NumberOffersService {
  constructor(
    private readonly carriers: NumberCarriers,
    private readonly carrierAccounts: CarrierAccountsService,
    private readonly numbers: PhoneNumbersRepository,
    private readonly accounts: AccountsService,
  ) {}

  /** Free numbers, in the account's own country where the query names none. */
  async search(userId: number, query: SearchNumbersQuery): Promise<readonly NumberOffer[]> {
    const countryCode = query.country_code ?? (await this.accounts.get(userId)).defaultCountry;
    const carrierAccountId = await this.carrierAccounts.findIdFor(userId);
    const carrier = this.carriers.of(carrierAccountId);
    if (!carrier.countries.includes(countryCode)) {
      const values = [...carrier.countries].sort().join(', ');
      throw ValidationFailedError.of('country_code', 'validation.one_of', { values });
    }
    // A carrier may list numbers that are rented already. Then more is asked for, until enough is free or there is no more.
    for (let limit = SEARCH_RESULTS; ; limit *= SEARCH_GROWTH) {
      const offers = await askCarrier(carrierAccountId, () =>
        carrier.searchNumbers({ countryCode, contains: query.contains ?? '', limit }),
      );
      const taken = new Set(await this.numbers.findTaken(offers.map(({ e164 }) => e164)));
      const free = offers.filter(({ e164 }) => !taken.has(e164));
      if (free.length >= SEARCH_RESULTS || offers.length < limit) return free.slice(0, SEARCH_RESULTS);
    }
  }

  /** @throws UnreadableNumberError | NumberNotForSaleError | CarrierAccountDeniedError | UnavailableError */
  async get(carrierAccountId: string | null, phoneNumber: string): Promise<NumberOffer> {
    const carrier = this.carriers.of(carrierAccountId);
    const phone = readPhone(phoneNumber) ?? UnreadableNumberError.throw();
    const { e164, countryCode } = phone;
    if (countryCode === null || !carrier.countries.includes(countryCode)) throw new NumberNotForSaleError();
    const offers = await askCarrier(carrierAccountId, () =>
      carrier.searchNumbers({ countryCode, contains: e164.slice(1), limit: 1 }),
    );
    return offers.find((candidate) => candidate.e164 === e164) ?? NumberNotForSaleError.throw();
  }
}
