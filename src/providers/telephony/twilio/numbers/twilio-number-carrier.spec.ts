import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { describeNumberCarrierConformance } from '#test/conformance/number-carrier.conformance.js';
import { FakeTwilio, type FakeTrouble } from '#test/support/twilio/fake-twilio.js';
import type { FakeNumber } from '#test/support/twilio/fake-twilio-numbers.js';
import { EgressClient } from '#src/common/egress/egress-client.js';
import { CarrierUnavailableError, NumberNotOfferedError } from '../../number-carrier.js';
import { NUMBER_BLOCKS, numbersOf } from '../../sandbox/number-blocks.js';
import { microsOf } from './number-prices.js';
import { TwilioApi } from '../twilio-api.js';
import { TwilioError } from '../twilio-error.js';
import { TwilioNumberCarrier } from './twilio-number-carrier.js';

const GUARDED = '+442079460001';
const stock: FakeNumber[] = NUMBER_BLOCKS.flatMap((block) =>
  numbersOf(block).map((phone_number) => ({
    phone_number,
    iso_country: block.countryCode,
    type: block.countryCode === 'DK' ? 'Mobile' : 'Local',
    address_requirements: phone_number === GUARDED ? 'local' : 'none',
  })),
);

let twilio: FakeTwilio;
let carrier: TwilioNumberCarrier;
const egress = new EgressClient({ allowCidrs: ['127.0.0.0/8'] });
const TIMES = { requestMs: 2_000, looksMs: [5, 30], mostWaitMs: 1_500 };

function carrierWith(authToken: string): TwilioNumberCarrier {
  const { accountSid, url } = twilio;
  const api = new TwilioApi(egress, { accountSid, authToken }, { api: url, pricing: url });
  return new TwilioNumberCarrier(async () => api, 'https://prosa.example/twilio/voice', TIMES);
}

beforeAll(async () => {
  twilio = await FakeTwilio.start(stock);
  carrier = carrierWith(twilio.authToken);
});
afterEach(() => void twilio.troubles.splice(0));
afterAll(async () => {
  await egress.close();
  await twilio.stop();
});

describeNumberCarrierConformance('TwilioNumberCarrier', {
  carrier: () => carrier,
  foreignNumber: '+33123456789',
});

describe('TwilioNumberCarrier', () => {
  const trouble = (method: string, ...troubles: FakeTrouble[]) =>
    twilio.troubles.push(...troubles.map((one) => ({ method, trouble: one })));
  const answer = (status: number, headers?: Record<string, string>): FakeTrouble => ({
    kind: 'answer',
    status,
    ...(headers && { headers }),
  });
  const postsSince = (count: number) =>
    twilio.requests.slice(count).filter(({ method }) => method === 'POST');
  const isOwn = (e164: string) => twilio.numbers.own.some(({ phone_number }) => phone_number === e164);

  it('asks what numbers cost by their kind, and rounds nothing away', async () => {
    const [local] = await carrier.searchNumbers({ countryCode: 'US', limit: 1 });
    const [mobile] = await carrier.searchNumbers({ countryCode: 'DK', limit: 1 });

    expect(local).toMatchObject({ monthlyPriceMicros: 1_150_000, smsCapable: true, region: 'NY' });
    expect(mobile).toMatchObject({ monthlyPriceMicros: 6_000_000, smsCapable: false });
    expect(['1.15', '0.0000001', '7', '0', '1,15', '-1', ''].map(microsOf)).toEqual([
      1_150_000,
      1,
      7_000_000,
      null,
      null,
      null,
      null,
    ]);
  });

  it('offers no number that needs an address', async () => {
    expect(await carrier.searchNumbers({ countryCode: 'GB', contains: GUARDED.slice(1), limit: 5 })).toEqual(
      [],
    );
  });

  it('searches by a single digit, which Twilio takes as no pattern', async () => {
    const found = await carrier.searchNumbers({ countryCode: 'US', contains: '7', limit: 50 });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ e164 }) => e164.includes('7'))).toBe(true);
  });

  it('asks for one page, however much is wanted', async () => {
    const before = twilio.requests.length;
    await carrier.searchNumbers({ countryCode: 'CA', limit: 5_000 });
    const pages = twilio.requests.slice(before).filter(({ path }) => path.includes('/Local.json'));
    expect(pages.map(({ path }) => new URL(path, twilio.url).searchParams.get('PageSize'))).toEqual(['1000']);
  });

  it('finds a purchase again whose answer was lost, and sends it once', async () => {
    const before = twilio.requests.length;
    trouble('POST', { kind: 'lost-answer' });
    await carrier.buyNumber('+12125550150', 'order-lost');

    expect(postsSince(before)).toHaveLength(1);
    expect(twilio.numbers.own.filter(({ phone_number }) => phone_number === '+12125550150')).toMatchObject([
      { friendly_name: 'prosa:order-lost' },
    ]);
  });

  it('does not know what became of a purchase that it finds nowhere', async () => {
    trouble('POST', answer(503));
    const error: unknown = await carrier.buyNumber('+12125550151', 'order-away').catch((one: unknown) => one);

    expect(error).toBeInstanceOf(CarrierUnavailableError);
    expect(isOwn('+12125550151')).toBe(false);
  });

  it('does not take the number of another order for its own', async () => {
    await carrier.buyNumber('+12125550152', 'order-a');
    await expect(carrier.buyNumber('+12125550152', 'order-b')).rejects.toThrow(NumberNotOfferedError);
    expect(isOwn('+12125550152')).toBe(true);
  });

  it('sends again once what was one too many, after the time Twilio asks for', async () => {
    trouble('POST', answer(429, { 'Retry-After': '1' }));
    const startedAtMs = performance.now();
    await carrier.buyNumber('+12125550153', 'order-limited');
    expect(performance.now() - startedAtMs).toBeGreaterThan(950);
    expect(isOwn('+12125550153')).toBe(true);
  });

  it('passes a limit on that lasts longer, with its time', async () => {
    const before = twilio.requests.length;
    trouble('POST', answer(429, { 'Retry-After': '60' }));
    const error: unknown = await carrier.buyNumber('+12125550154', 'o').catch((one: unknown) => one);

    expect(error).toBeInstanceOf(CarrierUnavailableError);
    expect((error as Error).cause).toMatchObject({ kind: 'rate-limited', code: 20429, retryAfterMs: 60_000 });
    expect(postsSince(before)).toHaveLength(1);
  });

  it('is unavailable with a wrong token, which is no fault of the number', async () => {
    const stranger = carrierWith('wrong');
    await expect(stranger.buyNumber('+12125550155', 'o')).rejects.toMatchObject({
      name: 'CarrierAccountRefusedError',
      cause: { kind: 'unauthorized', status: 401, code: 20003 },
    });
    await expect(stranger.searchNumbers({ countryCode: 'US', limit: 1 })).rejects.toThrow(
      CarrierUnavailableError,
    );
  });

  it('tells of an outage in words without telephone numbers', async () => {
    trouble('GET', answer(500));
    const error: unknown = await carrier.releaseNumber('+12125550156').catch((one: unknown) => one);
    const { cause } = error as Error;

    expect(error).toBeInstanceOf(CarrierUnavailableError);
    expect(cause).toBeInstanceOf(TwilioError);
    expect((cause as Error).message).toBe('Twilio: away, status 500, code 20500');
  });

  it('gives back only what it has bought', async () => {
    const form = new URLSearchParams({ PhoneNumber: '+12125550157', FriendlyName: 'Reception' });
    twilio.numbers.answer('POST', '/IncomingPhoneNumbers.json', new URLSearchParams(), form);
    await carrier.releaseNumber('+12125550157');
    expect(isOwn('+12125550157')).toBe(true);
  });
});
