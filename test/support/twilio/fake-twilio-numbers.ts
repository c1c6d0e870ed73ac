/**
 * Twilio's numbers as its documentation describes them, written without a look at the adapter.
 *
 * - https://www.twilio.com/docs/phone-numbers/api/availablephonenumberlocal-resource
 * - https://www.twilio.com/docs/phone-numbers/api/availablephonenumber-mobile-resource
 * - https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource
 * - https://www.twilio.com/docs/usage/twilios-response#pagination
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
  friendly_name: string;
  voice_url: string;
  readonly voice: boolean;
  /** Each of the two goes before the voice URL. */
  readonly voice_application_sid: string | null;
  readonly trunk_sid: string | null;
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
  /** Tests have small pages. */
  mostPerPage = MAX_PAGE;
  private sids = 0;

  constructor(
    private readonly accountSid: string,
    private readonly stock: readonly FakeNumber[],
    private readonly prices: readonly { number_type: string; base_price: string; current_price: string }[],
  ) {}

  /** The owner rents a number in Twilio’s console, where a demonstration answers until the URL is changed. */
  rentInConsole(phone_number: string, changes: Partial<OwnNumber> = {}): OwnNumber {
    const number: OwnNumber = {
      phone_number,
      iso_country: 'US',
      type: 'Local',
      address_requirements: 'none',
      sid: this.nextSid(),
      friendly_name: `Console ${phone_number}`,
      voice_url: 'https://demo.twilio.com/welcome/voice/',
      voice: true,
      voice_application_sid: null,
      trunk_sid: null,
      ...changes,
    };
    this.own.push(number);
    return number;
  }

  /** @param path below the account */
  answer(method: string, path: string, query: URLSearchParams, form: URLSearchParams): FakeAnswer | null {
    const available = /^\/AvailablePhoneNumbers\/([A-Z]{2})\/(Local|Mobile)\.json$/.exec(path);
    if (available && method === 'GET') return this.search(available[1] ?? '', available[2] ?? '', query);
    const instance = /^\/IncomingPhoneNumbers\/(PN[0-9a-f]{32})\.json$/.exec(path);
    if (instance && method === 'DELETE') return this.remove(instance[1] ?? '');
    if (instance) return this.instance(instance[1] ?? '', method === 'POST' ? form : null);
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

  /** Rented numbers are not on offer. */
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
    const own = this.rentInConsole(wanted, {
      ...number,
      friendly_name: form.get('FriendlyName') ?? wanted,
      voice_url: form.get('VoiceUrl') ?? '',
    });
    return { status: 201, body: this.shown(own) };
  }

  /** Only what is sent is changed. */
  private instance(sid: string, form: URLSearchParams | null): FakeAnswer {
    const number = this.own.find((one) => one.sid === sid);
    if (!number) return refusal(404, 20404, 'The requested resource was not found');
    number.friendly_name = form?.get('FriendlyName') ?? number.friendly_name;
    number.voice_url = form?.get('VoiceUrl') ?? number.voice_url;
    return { status: 200, body: this.shown(number) };
  }

  /** A later page is asked for by the number and the token in `next_page_uri`; a wrong token is refused. */
  private list(query: URLSearchParams): FakeAnswer {
    const name = query.get('FriendlyName');
    const digits = (query.get('PhoneNumber') ?? '').replace('+', '').replaceAll('*', '\\d');
    const size = Math.min(Number(query.get('PageSize') ?? DEFAULT_PAGE), this.mostPerPage);
    const page = Number(query.get('Page') ?? 0);
    if (page > 0 && query.get('PageToken') !== tokenOf(page))
      return refusal(400, 20006, 'Invalid page token');
    const all = this.own
      .filter(({ friendly_name }) => name === null || friendly_name === name)
      .filter(({ phone_number }) => new RegExp(digits).test(phone_number));
    const found = all.slice(page * size, (page + 1) * size);
    const next = new URLSearchParams(query);
    for (const [key, value] of [
      ['PageSize', String(size)],
      ['Page', String(page + 1)],
      ['PageToken', tokenOf(page + 1)],
    ] as const)
      next.set(key, value);
    const path = `/2010-04-01/Accounts/${this.accountSid}/IncomingPhoneNumbers.json`;
    return {
      status: 200,
      body: {
        end: page * size + found.length,
        page,
        page_size: size,
        next_page_uri: all.length > (page + 1) * size ? `${path}?${next.toString()}` : null,
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

  private nextSid(): string {
    return `PN${String(++this.sids).padStart(32, '0')}`;
  }

  private shown(number: OwnNumber) {
    return {
      account_sid: this.accountSid,
      address_requirements: number.address_requirements,
      api_version: '2010-04-01',
      beta: false,
      capabilities: { voice: number.voice, sms: number.voice, mms: false, fax: false },
      date_created: 'Thu, 30 Jul 2015 23:19:04 +0000',
      friendly_name: number.friendly_name,
      origin: 'twilio',
      phone_number: number.phone_number,
      sid: number.sid,
      status: 'in-use',
      trunk_sid: number.trunk_sid,
      voice_application_sid: number.voice_application_sid,
      voice_method: 'POST',
      voice_url: number.voice_url,
    };
  }
}

function tokenOf(page: number): string {
  return `PAPN${page}`;
}
