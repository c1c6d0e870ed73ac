import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type AddressRequirement,
  CarrierAccountRefusedError,
  CarrierUnavailableError,
  NumberCarrier,
  NumberNotOfferedError,
  type NumberOffer,
  type NumberSearch,
} from '../../number-carrier.js';
import { NUMBER_TYPES, type NumberType, TwilioNumberPrices } from './number-prices.js';
import type { FormFields, TwilioApi } from '../twilio-api.js';
import { TwilioError } from '../twilio-error.js';

/** What the family of APIs rents out, and BR. In which of them Twilio has numbers, it says by what it finds. */
const COUNTRIES = ['AU', 'BR', 'CA', 'DE', 'DK', 'FI', 'GB', 'IL', 'IT', 'NL', 'PL', 'US'] as const;

export interface TwilioNumberTimes {
  /** Of one request to Twilio. */
  readonly requestMs: number;
  /** When to look for a number after its purchase got no answer: Twilio may still be at it. */
  readonly looksMs: readonly number[];
  /** A wait that Twilio asks for is kept up to this length; a longer one is passed on as an error. */
  readonly mostWaitMs: number;
}

/** All requests of a purchase together end within the minute that the port allows. */
const TIMES: TwilioNumberTimes = { requestMs: 7_000, looksMs: [1_000, 5_000], mostWaitMs: 2_000 };

/** After "too many requests" that says no more. */
const UNTOLD_WAIT_MS = 500;
/** Twilio's largest page; its default is 50. */
const MAX_PAGE = 1_000;
/** The fewest characters Twilio takes as a pattern. */
const MIN_PATTERN = 2;
/** Marks what Prosa has bought: nothing else in the account is ever given back. */
const MARK = 'prosa:';
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

/** https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource */
const incomingNumber = z.object({
  sid: z.string(),
  phone_number: z.string(),
  friendly_name: z.string().nullable(),
});
const incomingBody = z.object({ incoming_phone_numbers: z.array(incomingNumber) });
type IncomingNumber = z.output<typeof incomingNumber>;

/**
 * Rents numbers at Twilio, into one account there. Twilio knows no keys of ours: a purchase carries its key as
 * the number's name, by which it is found again after an answer that was lost.
 */
export class TwilioNumberCarrier extends NumberCarrier {
  readonly countries: readonly string[] = COUNTRIES;
  private readonly prices: TwilioNumberPrices;

  /**
   * @param api as the account may ask it now; throws TwilioError where it has no credentials
   * @param voiceUrl where Twilio asks what to do with a call to one of the numbers; null where it reaches nobody, and none
   *   is rented
   */
  constructor(
    private readonly api: () => Promise<TwilioApi>,
    private readonly voiceUrl: string | null,
    private readonly times: TwilioNumberTimes = TIMES,
  ) {
    super();
    this.prices = new TwilioNumberPrices(api);
  }

  /** Only numbers that need no address, as Prosa has none to name. */
  async searchNumbers(search: NumberSearch): Promise<readonly NumberOffer[]> {
    if (!this.countries.includes(search.countryCode)) return [];
    return reached(async () => {
      const prices = await this.patient(() => this.prices.of(search.countryCode, this.times.requestMs));
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
      ['FriendlyName', MARK + key],
      ['VoiceUrl', this.voiceUrl],
      ['VoiceMethod', 'POST'],
    ];
    try {
      await this.patient((api) =>
        api.post('/IncomingPhoneNumbers.json', form, incomingNumber, this.times.requestMs),
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

  async releaseNumber(e164: string): Promise<void> {
    await reached(async () => {
      for (const { sid, friendly_name: name } of await this.findOwn({ PhoneNumber: e164 }, e164)) {
        if (!name?.startsWith(MARK)) continue;
        await this.patient((api) => api.delete(`/IncomingPhoneNumbers/${sid}.json`, this.times.requestMs));
      }
    });
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
    const body = await this.patient((api) => api.get(path, query, availableBody, this.times.requestMs));
    return (body?.available_phone_numbers ?? [])
      .filter(
        ({ phone_number: e164, iso_country: country, address_requirements: address }) =>
          e164.includes(contains) && country === countryCode && address === 'none',
      )
      .sort((a, b) => (a.phone_number < b.phone_number ? -1 : 1));
  }

  /** @param mayBeLate whether Twilio may still be carrying out the purchase */
  private isBought(e164: string, key: string, mayBeLate: boolean): Promise<boolean> {
    const name = MARK + key;
    return reached(async () => {
      for (const waitMs of mayBeLate ? this.times.looksMs : [0]) {
        await sleep(waitMs);
        const own = await this.findOwn({ FriendlyName: name }, e164);
        if (own.some(({ friendly_name }) => friendly_name === name)) return true;
      }
      return false;
    });
  }

  /** Numbers of the account with this E.164, of which there is at most one. */
  private async findOwn(
    query: Readonly<Record<string, string>>,
    e164: string,
  ): Promise<readonly IncomingNumber[]> {
    const body = await this.patient((api) =>
      api.get('/IncomingPhoneNumbers.json', query, incomingBody, this.times.requestMs),
    );
    return (body?.incoming_phone_numbers ?? []).filter(({ phone_number }) => phone_number === e164);
  }

  /** Sends again once, after the time Twilio asks for: a request that was one too many was never processed. */
  private async patient<T>(request: (api: TwilioApi) => Promise<T>): Promise<T> {
    const api = await this.api();
    try {
      return await request(api);
    } catch (error) {
      if (!(error instanceof TwilioError) || error.kind !== 'rate-limited') throw error;
      const waitMs = error.retryAfterMs ?? UNTOLD_WAIT_MS;
      if (waitMs > this.times.mostWaitMs) throw error;
      await sleep(waitMs);
      return request(api);
    }
  }
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TwilioError ? unavailable(error) : error;
  }
}

function unavailable(error: TwilioError): CarrierUnavailableError {
  return error.kind === 'unauthorized'
    ? new CarrierAccountRefusedError({ cause: error })
    : new CarrierUnavailableError({ cause: error });
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

/** The documentation spells capabilities in both cases. */
function isCapable(capabilities: Available['capabilities'], name: string): boolean {
  return Object.entries(capabilities).some(([key, value]) => value && key.toLowerCase() === name);
}
