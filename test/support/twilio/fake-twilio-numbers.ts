/**
 * Twilio's numbers as its documentation describes them, written without a look at the adapter.
 *
 * - https://www.twilio.com/docs/phone-numbers/api/availablephonenumberlocal-resource
 * - https://www.twilio.com/docs/phone-numbers/api/availablephonenumber-mobile-resource
 * - https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource
 * - https://www.twilio.com/docs/phone-numbers/pricing
 * - https://www.twilio.com/docs/api/errors/21422, /21421, /20404
 */

export interface FakeNumber {
  readonly phone_number: string;
  readonly iso_country: string;
  readonly type: 'Local' | 'Mobile';
  readonly address_requirements: 'none' | 'any' | 'local' | 'foreign';
}

export interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
}

interface OwnNumber extends FakeNumber {
  readonly sid: string;
  readonly friendly_name: string;
}

/** "The default is 50, and the maximum is 1000." */
const DEFAULT_PAGE = 50;
const MAX_PAGE = 1_000;

/** The error body of https://www.twilio.com/docs/usage/twilios-response */
export function refusal(status: number, code: number, message: string): FakeAnswer {
  return { status, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

export class FakeTwilioNumbers {
  readonly own: OwnNumber[] = [];
  private sids = 0;

  constructor(
    private readonly accountSid: string,
    private readonly stock: readonly FakeNumber[],
    private readonly prices: readonly { number_type: string; base_price: string; current_price: string }[],
  ) {}

  /** @param path below the account */
  answer(method: string, path: string, query: URLSearchParams, form: URLSearchParams): FakeAnswer | null {
    const available = /^\/AvailablePhoneNumbers\/([A-Z]{2})\/(Local|Mobile)\.json$/.exec(path);
    if (available && method === 'GET') return this.search(available[1] ?? '', available[2] ?? '', query);
    const instance = /^\/IncomingPhoneNumbers\/(PN[0-9a-f]{32})\.json$/.exec(path);
    if (instance && method === 'DELETE') return this.remove(instance[1] ?? '');
    if (path !== '/IncomingPhoneNumbers.json') return null;
    return method === 'POST' ? this.provision(form) : this.list(query);
  }

  countryPrices(country: string): FakeAnswer {
    const isKnown = this.stock.some(({ iso_country }) => iso_country === country);
    if (!isKnown) return refusal(404, 20404, 'The requested resource was not found');
    return {
      status: 200,
      body: {
        country: 'Country',
        iso_country: country,
        phone_number_prices: this.prices,
        price_unit: 'USD',
        url: `https://pricing.twilio.com/v1/PhoneNumbers/Countries/${country}`,
      },
    };
  }

  /** Numbers that are rented are on offer to nobody. */
  private get free(): FakeNumber[] {
    const taken = new Set(this.own.map(({ phone_number }) => phone_number));
    return this.stock.filter(({ phone_number }) => !taken.has(phone_number));
  }

  private search(country: string, type: string, query: URLSearchParams): FakeAnswer {
    const ofType = this.stock.filter((one) => one.iso_country === country && one.type === type);
    if (ofType.length === 0) return refusal(404, 20404, 'The requested resource was not found');
    const pattern = query.get('Contains');
    // "If specified, this value must have at least two characters."
    if (pattern !== null && pattern.length < 2) return refusal(400, 21451, 'Invalid pattern');
    const digits = new RegExp((pattern ?? '').replaceAll('*', '\\d'));
    const withoutAddress = query.get('ExcludeAllAddressRequired') === 'true';
    const size = Math.min(Number(query.get('PageSize') ?? DEFAULT_PAGE), MAX_PAGE);
    const found = this.free
      .filter((one) => one.iso_country === country && one.type === type)
      .filter((one) => digits.test(one.phone_number))
      .filter((one) => !withoutAddress || one.address_requirements === 'none')
      .slice(0, size);
    return {
      status: 200,
      body: {
        end: found.length,
        first_page_uri: '/first',
        next_page_uri: null,
        page: 0,
        page_size: size,
        previous_page_uri: null,
        start: 0,
        uri: '/first',
        available_phone_numbers: found.map(({ phone_number, iso_country, address_requirements }) => ({
          friendly_name: phone_number,
          phone_number,
          lata: null,
          locality: null,
          rate_center: null,
          latitude: null,
          longitude: null,
          region: iso_country === 'US' ? 'NY' : null,
          postal_code: null,
          iso_country,
          address_requirements,
          beta: false,
          // Uppercase for texts, as in the documented example.
          capabilities: { voice: true, SMS: iso_country === 'US', MMS: false },
        })),
      },
    };
  }

  private provision(form: URLSearchParams): FakeAnswer {
    const wanted = form.get('PhoneNumber') ?? '';
    if (!/^\+\d{8,15}$/.test(wanted)) return refusal(400, 21421, 'PhoneNumber is invalid');
    const number = this.free.find(({ phone_number }) => phone_number === wanted);
    if (!number) return refusal(400, 21422, `${wanted} is not available`);
    const sid = `PN${String(++this.sids).padStart(32, '0')}`;
    const own = { ...number, sid, friendly_name: form.get('FriendlyName') ?? wanted };
    this.own.push(own);
    return { status: 201, body: this.shown(own) };
  }

  private list(query: URLSearchParams): FakeAnswer {
    const name = query.get('FriendlyName');
    const digits = (query.get('PhoneNumber') ?? '').replace('+', '').replaceAll('*', '\\d');
    const found = this.own
      .filter(({ friendly_name }) => name === null || friendly_name === name)
      .filter(({ phone_number }) => new RegExp(digits).test(phone_number))
      .slice(0, Number(query.get('PageSize') ?? DEFAULT_PAGE));
    return {
      status: 200,
      body: {
        end: found.length,
        page: 0,
        page_size: DEFAULT_PAGE,
        next_page_uri: null,
        incoming_phone_numbers: found.map((one) => this.shown(one)),
      },
    };
  }

  private remove(sid: string): FakeAnswer {
    const at = this.own.findIndex((one) => one.sid === sid);
    if (at < 0) return refusal(404, 20404, 'The requested resource was not found');
    this.own.splice(at, 1);
    return { status: 204 };
  }

  private shown({ sid, phone_number, friendly_name, address_requirements }: OwnNumber) {
    return {
      account_sid: this.accountSid,
      address_requirements,
      api_version: '2010-04-01',
      beta: false,
      capabilities: { voice: true, sms: false, mms: false, fax: false },
      date_created: 'Thu, 30 Jul 2015 23:19:04 +0000',
      friendly_name,
      origin: 'twilio',
      phone_number,
      sid,
      status: 'in-use',
      voice_method: 'POST',
      voice_url: '',
    };
  }
}
