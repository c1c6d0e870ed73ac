import type { CallsConfig } from '../../../config/config.js';

export interface CallCost {
  readonly carrierMicros: number;
  readonly aiMicros: number;
}

export type CallPrices = Pick<CallsConfig, 'pricePerMinuteMicros' | 'carrierPricePerMinuteMicros'>;

/** What so many seconds of talk cost, each part rounded up to the micro-dollar. */
export function costOf(seconds: number, prices: CallPrices): CallCost {
  const part = (perMinuteMicros: number) => Math.ceil((perMinuteMicros * seconds) / 60);
  return {
    carrierMicros: part(prices.carrierPricePerMinuteMicros),
    aiMicros: part(prices.pricePerMinuteMicros),
  };
}

export function totalOf({ carrierMicros, aiMicros }: CallCost): number {
  return carrierMicros + aiMicros;
}
