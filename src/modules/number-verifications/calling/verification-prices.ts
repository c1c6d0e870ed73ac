import type { CallsConfig } from '../../../config/config.js';
import { costOf } from '../../active-calls/capacity/call-prices.js';

/** From the answer on. What is to be said takes less than a minute. */
export const MAX_TALK_SECONDS = 75;

type Prices = Pick<CallsConfig, 'carrierPricePerMinuteMicros'>;

/** So many seconds of a call in which no assistant talks: the line is paid, and nothing else. */
export function verificationPriceMicros(seconds: number, { carrierPricePerMinuteMicros }: Prices): number {
  const billed = Math.min(seconds, MAX_TALK_SECONDS);
  return costOf(billed, { carrierPricePerMinuteMicros, pricePerMinuteMicros: 0 }).carrierMicros;
}

/** What is set aside for one. */
export function longestPriceMicros(prices: Prices): number {
  return verificationPriceMicros(MAX_TALK_SECONDS, prices);
}
