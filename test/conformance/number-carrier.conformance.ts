import { beforeAll, describe, expect, it } from '@jest/globals';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import {
  type NumberCarrier,
  NumberNotOfferedError,
  NumberNotOwnedError,
} from '../../src/providers/telephony/number-carrier.js';

/** What an adapter's spec brings: its carrier, and a valid number that this carrier does not let. */
export interface NumberCarrierSubject {
  carrier: () => NumberCarrier;
  foreignNumber: string;
}

/** Defines the tests every adapter of the NumberCarrier port passes. */
export function describeNumberCarrierConformance(name: string, subject: NumberCarrierSubject): void {
  describe(`${name} as a NumberCarrier`, () => {
    let carrier: NumberCarrier;

    beforeAll(() => {
      carrier = subject.carrier();
    });

    it('offers in each of its countries valid numbers of that country, each once, at a price', async () => {
      expect(carrier.countries.length).toBeGreaterThan(0);
      for (const countryCode of carrier.countries) {
        const offers = await carrier.searchNumbers({ countryCode, limit: 20 });
        expect(offers.length).toBeGreaterThan(0);
        expect(new Set(offers.map(({ e164 }) => e164)).size).toBe(offers.length);
        for (const offer of offers) {
          const parsed = parsePhoneNumberFromString(offer.e164);
          expect({ ...offer, valid: parsed?.isValid(), e164: parsed?.number }).toEqual({
            ...offer,
            valid: true,
          });
          expect(parsed?.country).toBe(countryCode);
          expect(offer.countryCode).toBe(countryCode);
          expect(offer.monthlyPriceMicros).toBeGreaterThan(0);
          expect(Number.isSafeInteger(offer.monthlyPriceMicros)).toBe(true);
        }
      }
    });

    it('gives at most as many numbers as asked for, and the same search the same ones', async () => {
      const [countryCode = ''] = carrier.countries;
      const few = await carrier.searchNumbers({ countryCode, limit: 3 });
      const again = await carrier.searchNumbers({ countryCode, limit: 3 });
      expect(few).toHaveLength(3);
      expect(again).toEqual(few);
    });

    it('finds numbers by a run of their digits, and one number by all of them', async () => {
      const [countryCode = ''] = carrier.countries;
      const [, , wanted] = await carrier.searchNumbers({ countryCode, limit: 3 });
      const digits = wanted?.e164.slice(1) ?? '';
      const byEnd = await carrier.searchNumbers({ countryCode, contains: digits.slice(-4), limit: 5 });
      expect(byEnd.length).toBeGreaterThan(0);
      expect(byEnd.every(({ e164 }) => e164.includes(digits.slice(-4)))).toBe(true);
      expect(await carrier.searchNumbers({ countryCode, contains: digits, limit: 5 })).toEqual([wanted]);
      expect(await carrier.searchNumbers({ countryCode, contains: '0000000000', limit: 5 })).toEqual([]);
    });

    it('takes the same order twice and a release twice', async () => {
      const [countryCode = ''] = carrier.countries;
      const [offer] = await carrier.searchNumbers({ countryCode, limit: 1 });
      const e164 = offer?.e164 ?? '';
      await expect(carrier.buyNumber(e164, 'order-1')).resolves.toBeUndefined();
      await expect(carrier.buyNumber(e164, 'order-1')).resolves.toBeUndefined();
      await expect(carrier.releaseNumber(e164)).resolves.toBeUndefined();
      await expect(carrier.releaseNumber(e164)).resolves.toBeUndefined();
    });

    it('has none of the numbers of strangers to be taken over, and lets go of them twice', async () => {
      const e164 = subject.foreignNumber;
      const number = { id: `PN${'f'.repeat(32)}`, e164, name: null, smsCapable: false, isBound: false };
      expect(await carrier.listOwned({ contains: e164.slice(1), limit: 5 })).toEqual([]);
      expect([await carrier.findOwned(e164), await carrier.findOwned(number.id)]).toEqual([null, null]);
      await expect(carrier.adoptNumber(number)).rejects.toThrow(NumberNotOwnedError);
      await expect(carrier.detach(e164)).resolves.toBeUndefined();
      await expect(carrier.detach(e164)).resolves.toBeUndefined();
    });

    it('refuses to rent out what it does not offer', async () => {
      await expect(carrier.buyNumber(subject.foreignNumber, 'order-2')).rejects.toThrow(
        NumberNotOfferedError,
      );
    });
  });
}
