import { z } from 'zod';
import { NumberNotOwnedError, type OwnedNumber, type OwnedSearch } from '../../number-carrier.js';
import type { FormFields } from '../twilio-api.js';
import { TwilioError } from '../twilio-error.js';
import type { TwilioRequests } from './twilio-requests.js';

/** Marks what Prosa has bought: nothing else in the account is ever given back. */
const MARK = 'prosa:';
const SID = /^PN[0-9a-fA-F]{32}$/;
/** Twilio's largest page; its default is 50. */
const PAGE_SIZE = 1_000;
/** Together with the time of a request these end within the minute that the port allows. */
const MOST_PAGES = 3;
const NOT_FOUND = 404;

/** https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource */
const incomingNumber = z.object({
  sid: z.string(),
  phone_number: z.string(),
  friendly_name: z.string().nullish(),
  capabilities: z.record(z.string(), z.boolean()).nullish(),
  voice_url: z.string().nullish(),
  voice_application_sid: z.string().nullish(),
  trunk_sid: z.string().nullish(),
});
type IncomingNumber = z.output<typeof incomingNumber>;

/** Pages follow one another by `next_page_uri`: https://www.twilio.com/docs/usage/twilios-response#pagination */
const incomingBody = z.object({
  incoming_phone_numbers: z.array(incomingNumber),
  next_page_uri: z.string().nullish(),
});

type Query = Readonly<Record<string, string>>;

/** The numbers that are in an account at Twilio, rented by Prosa or not. */
export class TwilioOwnNumbers {
  /**
   * @param voiceUrl where Twilio asks what to do with a call; null where Twilio cannot reach it, and no number is
   *   taken over
   */
  constructor(
    private readonly requests: TwilioRequests,
    private readonly voiceUrl: string | null,
  ) {}

  /** How a number is named that an order of this key has bought. */
  static nameOf(key: string): string {
    return MARK + key;
  }

  async list({ contains = '', limit }: OwnedSearch): Promise<readonly OwnedNumber[]> {
    const found: OwnedNumber[] = [];
    let page: Query | null = { PageSize: String(PAGE_SIZE), ...(contains && { PhoneNumber: contains }) };
    for (let read = 0; page && read < MOST_PAGES && found.length < limit; read++) {
      const { numbers, next } = await this.page(page);
      found.push(...numbers.filter(canBeCalled).map(ownedOf));
      page = next;
    }
    return found.filter(({ e164 }) => e164.includes(contains)).slice(0, limit);
  }

  /** @param reference its E.164 or its SID */
  async find(reference: string): Promise<OwnedNumber | null> {
    const number = SID.test(reference)
      ? await this.bySid(reference)
      : (await this.named({ PhoneNumber: reference }, reference))[0];
    return number && canBeCalled(number) ? ownedOf(number) : null;
  }

  /** Points a number's calls to our address. Prosa no longer gives back a number that it had bought itself. */
  async adopt({ id, e164 }: OwnedNumber): Promise<void> {
    if (this.voiceUrl === null) throw new NumberNotOwnedError();
    const number = await this.bySid(id);
    if (!number) throw new NumberNotOwnedError();
    const isMarked = number.friendly_name?.startsWith(MARK) ?? false;
    const form: FormFields = [
      ['VoiceUrl', this.voiceUrl],
      ['VoiceMethod', 'POST'],
      ...(isMarked ? ([['FriendlyName', e164]] as const) : []),
    ];
    await this.change(id, form);
  }

  /** Has calls no longer asked for at our address; what points elsewhere stays as it is. */
  async detach(e164: string): Promise<void> {
    for (const number of await this.named({ PhoneNumber: e164 }, e164)) await this.leave(number);
  }

  /** Gives back the numbers that Prosa has bought, and detaches from the rest. */
  async release(e164: string): Promise<void> {
    const { times } = this.requests;
    for (const number of await this.named({ PhoneNumber: e164 }, e164)) {
      if (!number.friendly_name?.startsWith(MARK)) await this.leave(number);
      else
        await this.requests.patient((api) =>
          api.delete(`/IncomingPhoneNumbers/${number.sid}.json`, times.requestMs),
        );
    }
  }

  /** Whether the order of this key has bought the number. */
  async isBought(e164: string, key: string): Promise<boolean> {
    const name = TwilioOwnNumbers.nameOf(key);
    const own = await this.named({ FriendlyName: name }, e164);
    return own.some(({ friendly_name }) => friendly_name === name);
  }

  private async leave({ sid, voice_url: url }: IncomingNumber): Promise<void> {
    if (url && url === this.voiceUrl) await this.change(sid, [['VoiceUrl', '']]);
  }

  private async change(sid: string, form: FormFields): Promise<void> {
    const path = `/IncomingPhoneNumbers/${sid}.json`;
    try {
      await this.requests.patient((api) =>
        api.post(path, form, incomingNumber, this.requests.times.requestMs),
      );
    } catch (error) {
      if (error instanceof TwilioError && error.status === NOT_FOUND)
        throw new NumberNotOwnedError({ cause: error });
      throw error;
    }
  }

  private bySid(sid: string): Promise<IncomingNumber | null> {
    const path = `/IncomingPhoneNumbers/${sid}.json`;
    return this.requests.patient((api) => api.get(path, {}, incomingNumber, this.requests.times.requestMs));
  }

  /** Numbers of the account with this E.164, of which there is at most one: Twilio's filter takes parts of numbers too. */
  private async named(query: Query, e164: string): Promise<readonly IncomingNumber[]> {
    const { numbers } = await this.page(query);
    return numbers.filter(({ phone_number }) => phone_number === e164);
  }

  private async page(query: Query): Promise<{ numbers: readonly IncomingNumber[]; next: Query | null }> {
    const body = await this.requests.patient((api) =>
      api.get('/IncomingPhoneNumbers.json', query, incomingBody, this.requests.times.requestMs),
    );
    const next = body?.next_page_uri;
    return { numbers: body?.incoming_phone_numbers ?? [], next: next ? queryOf(next) : null };
  }
}

/** Of the next page only what follows the question mark is taken: where requests go is not Twilio's answer's to say. */
function queryOf(uri: string): Query | null {
  const at = uri.indexOf('?');
  return at < 0 ? null : Object.fromEntries(new URLSearchParams(uri.slice(at + 1)));
}

function canBeCalled({ capabilities }: IncomingNumber): boolean {
  return !capabilities || isCapable(capabilities, 'voice');
}

/** An application or a trunk goes before the voice URL, which then means nothing. */
function ownedOf(number: IncomingNumber): OwnedNumber {
  return {
    id: number.sid,
    e164: number.phone_number,
    name: number.friendly_name ?? null,
    smsCapable: isCapable(number.capabilities ?? {}, 'sms'),
    isBound: Boolean(number.voice_application_sid) || Boolean(number.trunk_sid),
  };
}

/** The documentation spells capabilities in both cases. */
export function isCapable(capabilities: Readonly<Record<string, boolean>>, name: string): boolean {
  return Object.entries(capabilities).some(([key, value]) => value && key.toLowerCase() === name);
}
