import { setTimeout as sleep } from 'node:timers/promises';
import { CarrierAccountRefusedError, CarrierUnavailableError } from '../../number-carrier.js';
import type { TwilioApi } from '../twilio-api.js';
import { TwilioError } from '../twilio-error.js';

export interface TwilioNumberTimes {
  /** Of one request to Twilio. */
  readonly requestMs: number;
  /** When to look for a number after its purchase got no answer: Twilio may still be at it. */
  readonly looksMs: readonly number[];
  /** A wait that Twilio asks for is kept up to this length; a longer one is passed on as an error. */
  readonly mostWaitMs: number;
}

/** After "too many requests" that says no more. */
const UNTOLD_WAIT_MS = 500;

/** The requests of one account about its numbers. */
export class TwilioRequests {
  /** @param api as the account may ask it now; throws TwilioError where it has no credentials */
  constructor(
    private readonly api: () => Promise<TwilioApi>,
    readonly times: TwilioNumberTimes,
  ) {}

  /** Sends again once, after the time Twilio asks for: a request that was one too many was never processed. */
  async patient<T>(request: (api: TwilioApi) => Promise<T>): Promise<T> {
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

/** Gives Twilio's errors the names of the port. @throws CarrierUnavailableError */
export async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof TwilioError ? unavailable(error) : error;
  }
}

export function unavailable(error: TwilioError): CarrierUnavailableError {
  return error.kind === 'unauthorized'
    ? new CarrierAccountRefusedError({ cause: error })
    : new CarrierUnavailableError({ cause: error });
}
