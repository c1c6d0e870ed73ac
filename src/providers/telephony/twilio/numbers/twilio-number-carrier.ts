import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type AddressRequirement,
  CarrierUnavailableError,
  NumberCarrier,
  NumberNotOfferedError,
  type NumberOffer,
  type NumberSearch,
  type OwnedNumber,
  type OwnedSearch,
} from '../../number-carrier.js';
import { NUMBER_TYPES, type NumberType, TwilioNumberPrices } from './number-prices.js';
import type { FormFields, TwilioApi } from '../twilio-api.js';
import { TwilioError } from '../twilio-error.js';
import { isCapable, TwilioOwnNumbers } from './twilio-own-numbers.js';
import { reached, type TwilioNumberTimes, TwilioRequests, unavailable } from './twilio-requests.js';

/** What the family of APIs rents out, and BR. In which of them Twilio has numbers, it says by what it finds. */
const COUNTRIES = ['AU', 'BR', 'CA', 'DE', 'DK', 'FI', 'GB', 'IL', 'IT', 'NL', 'PL', 'US'] as const;

/** All requests of a purchase together end within the minute that the port allows. */
const TIMES: TwilioNumberTimes = { requestMs: 7_000, looksMs: [1_000, 5_000], mostWaitMs: 2_000 };

/** Twilio's largest page; its default is 50. */
const MAX_PAGE = 1_000;
/** The fewest characters Twilio takes as a pattern. */
const MIN_PATTERN = 2;
/** The request itself was wrong for this number, so that nothing was bought. Other refusals are of the account. */
const BAD_REQUEST = 400;

/** https://www.twilio.com/docs/phone-numbers/api/availablephonenumberlocal-resource (Mobile has the same properties) */
const availableBody = z.object({
  available_phone_numbers: z.array(
    z.object({
      phone_number: z.string(),
      iso_country: z.string(),
      region: z.string().nullish(),
      locality: z.string().nullish(),
      address_requirements: z.string(),
      capabilities: z.record(z.string(), z.boolean()),
    }),
  ),
});
type Available = z.output<typeof availableBody>['available_phone_numbers'][number];

/** What a purchase is answered with; that it is, is enough. */
const boughtBody = z.object({ sid: z.string() });

/**
 * Rents numbers at Twilio, into one account there. Twilio knows no keys of ours: a purchase carries its key as
 * the number's name, by which it is found again after an answer that was lost.
 */
export class TwilioNumberCarrier extends NumberCarrier {
  readonly countries: readonly string[] = COUNTRIES;
  private readonly prices: TwilioNumberPrices;
  private readonly requests: TwilioRequests;
  private readonly own: TwilioOwnNumbers;

  /**
   * @param api as the account may ask it now; throws TwilioError where it has no credentials
   * @param voiceUrl where Twilio asks what to do with a call to one of the numbers. Null where Twilio cannot reach
   *   this installation, and no number is rented
   */
  constructor(
    api: () => Promise<TwilioApi>,
    private readonly voiceUrl: string | null,
    private readonly times: TwilioNumberTimes = TIMES,
  ) {
    super();
    this.prices = new TwilioNumberPrices(api);
    this.requests = new TwilioRequests(api, times);
    this.own = new TwilioOwnNumbers(this.requests, voiceUrl);
  }

  /** Only numbers that need no address, as Prosa has none to name. */
  async searchNumbers(search: NumberSearch): Promise<readonly NumberOffer[]> {
    if (!this.countries.includes(search.countryCode)) return [];
    return reached(async () => {
      const prices = await this.requests.patient(() =>
        this.prices.of(search.countryCode, this.times.requestMs),
      );
      const offers: NumberOffer[] = [];
      for (const type of NUMBER_TYPES) {
        const monthlyPriceMicros = prices.get(type);
        if (monthlyPriceMicros === undefined || offers.length >= search.limit) continue;
        const available = await this.findAvailable(type, search);
        offers.push(...available.map((one) => ({ ...offerOf(one), monthlyPriceMicros })));
      }
      return offers.slice(0, search.limit);
    });
  }

  async buyNumber(e164: string, key: string): Promise<void> {
    if (this.voiceUrl === null) throw new NumberNotOfferedError();
    const form: FormFields = [
      ['PhoneNumber', e164],
      ['FriendlyName', TwilioOwnNumbers.nameOf(key)],
      ['VoiceUrl', this.voiceUrl],
      ['VoiceMethod', 'POST'],
    ];
    try {
      await this.requests.patient((api) =>
        api.post('/IncomingPhoneNumbers.json', form, boughtBody, this.times.requestMs),
      );
    } catch (error) {
      if (!(error instanceof TwilioError)) throw error;
      if (error.kind !== 'away' && error.status !== BAD_REQUEST) throw unavailable(error);
      // A number that is ours already is refused as well.
      if (await this.isBought(e164, key, error.kind === 'away')) return;
      if (error.kind === 'away') throw new CarrierUnavailableError({ cause: error });
      throw new NumberNotOfferedError({ cause: error });
    }
  }

  releaseNumber(e164: string): Promise<void> {
    return reached(() => this.own.release(e164));
  }

  listOwned(search: OwnedSearch): Promise<readonly OwnedNumber[]> {
    return reached(() => this.own.list(search));
  }

  findOwned(reference: string): Promise<OwnedNumber | null> {
    return reached(() => this.own.find(reference));
  }

  adoptNumber(number: OwnedNumber): Promise<void> {
    return reached(() => this.own.adopt(number));
  }

  detach(e164: string): Promise<void> {
    return reached(() => this.own.detach(e164));
  }

  private async findAvailable(
    type: NumberType,
    { countryCode, contains = '', limit }: NumberSearch,
  ): Promise<readonly Available[]> {
    const query = {
      VoiceEnabled: 'true',
      ExcludeAllAddressRequired: 'true',
      PageSize: String(Math.min(limit, MAX_PAGE)),
      ...(contains.length >= MIN_PATTERN && { Contains: contains }),
    };
    const path = `/AvailablePhoneNumbers/${countryCode}/${type}.json`;
    const body = await this.requests.patient((api) =>
      api.get(path, query, availableBody, this.times.requestMs),
    );
    return (body?.available_phone_numbers ?? [])
      .filter(
        ({ phone_number: e164, iso_country: country, address_requirements: address }) =>
          e164.includes(contains) && country === countryCode && address === 'none',
      )
      .sort((a, b) => (a.phone_number < b.phone_number ? -1 : 1));
  }

  /** @param mayBeLate whether Twilio may still be carrying out the purchase */
  private isBought(e164: string, key: string, mayBeLate: boolean): Promise<boolean> {
    return reached(async () => {
      for (const waitMs of mayBeLate ? this.times.looksMs : [0]) {
        await sleep(waitMs);
        if (await this.own.isBought(e164, key)) return true;
      }
      return false;
    });
  }
}

function offerOf({ phone_number, iso_country, region, locality, capabilities }: Available) {
  const addressRequirement: AddressRequirement = 'none';
  return {
    e164: phone_number,
    countryCode: iso_country,
    region: region ?? locality ?? '',
    addressRequirement,
    smsCapable: isCapable(capabilities, 'sms'),
  };
}
