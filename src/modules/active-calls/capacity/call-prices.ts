import type { CallsConfig } from '../../../config/config.js';

export interface CallCost {
  readonly carrierMicros: number;
  readonly aiMicros: number;
}

export type CallPrices = Pick<CallsConfig, 'pricePerMinuteMicros' | 'carrierPricePerMinuteMicros'>;

/**
 * What so many seconds of a call cost, each part rounded up to the micro-dollar.
 *
 * @param waitedSeconds of them in which the caller waited, without an assistant
 */
export function costOf(seconds: number, prices: CallPrices, waitedSeconds = 0): CallCost {
  const part = (perMinuteMicros: number, length: number) => Math.ceil((perMinuteMicros * length) / 60);
  return {
    carrierMicros: part(prices.carrierPricePerMinuteMicros, seconds),
    aiMicros: part(prices.pricePerMinuteMicros, Math.max(seconds - waitedSeconds, 0)),
  };
}

export function totalOf({ carrierMicros, aiMicros }: CallCost): number {
  return carrierMicros + aiMicros;
}
