import { z } from 'zod';
import type { TwilioApi } from '../twilio-api.js';

/** The kinds of numbers that people call from and at; toll-free ones are billed otherwise. */
export const NUMBER_TYPES = ['Local', 'Mobile'] as const;
export type NumberType = (typeof NUMBER_TYPES)[number];
export type NumberPrices = ReadonlyMap<NumberType, number>;

/** Prices of Twilio change some times a year. */
const KNOWN_MS = 3_600_000;
const CURRENCY = 'USD';

/** https://www.twilio.com/docs/phone-numbers/pricing */
const pricesBody = z.object({
  price_unit: z.string(),
  phone_number_prices: z.array(
    z.object({ number_type: z.string(), current_price: z.union([z.string(), z.number()]) }),
  ),
});

/** What the numbers of each country cost the account a month, as Twilio says. */
export class TwilioNumberPrices {
  private readonly known = new Map<string, { readonly prices: NumberPrices; readonly untilMs: number }>();

  constructor(
    private readonly apiOf: () => Promise<TwilioApi>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * Micro-dollars a month by the kind of number. Kinds without a price in US dollars are left out, because nothing could be
   * charged for them.
   *
   * @throws TwilioError
   */
  async of(countryCode: string, timeoutMs: number): Promise<NumberPrices> {
    const known = this.known.get(countryCode);
    if (known && known.untilMs > this.nowMs()) return known.prices;
    const api = await this.apiOf();
    const body = await api.getPrices(countryCode, pricesBody, timeoutMs);
    const prices = new Map<NumberType, number>();
    for (const { number_type: type, current_price: price } of body?.phone_number_prices ?? []) {
      const kind = NUMBER_TYPES.find((one) => one.toLowerCase() === type.toLowerCase());
      const micros = microsOf(String(price));
      if (kind && micros !== null && body?.price_unit.toUpperCase() === CURRENCY) prices.set(kind, micros);
    }
    this.known.set(countryCode, { prices, untilMs: this.nowMs() + KNOWN_MS });
    return prices;
  }
}

/** Exact; a part of a micro-dollar counts as one. Null for what is no price. */
export function microsOf(dollars: string): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,12}))?$/.exec(dollars) ?? [];
  if (whole === '') return null;
  const micros = Number(whole) * 1_000_000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
  const rounded = /[1-9]/.test(fraction.slice(6)) ? micros + 1 : micros;
  return rounded > 0 ? rounded : null;
}
