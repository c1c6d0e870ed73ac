import { z } from 'zod';
import type { TwilioApi } from './twilio-api.js';
import { TwilioError } from './twilio-error.js';

const REQUEST_MS = 10_000;

/** https://www.twilio.com/docs/iam/api/account */
const STATUSES = ['active', 'suspended', 'closed'] as const;
const accountBody = z.object({ sid: z.string(), status: z.enum(STATUSES) });

/**
 * - `ok`: the credentials are right, and the account may act
 * - `refused`: Twilio does not take the credentials
 * - `inactive`: they are right, and Twilio has suspended or closed the account
 * - `unreachable`: Twilio did not answer, or not in words that can be read
 */
export const TWILIO_CHECKS = ['ok', 'refused', 'inactive', 'unreachable'] as const;
export type TwilioAccountCheck = (typeof TWILIO_CHECKS)[number];

/** Asks Twilio for the account itself, which changes nothing. @param apiOf throws TwilioError without credentials */
export async function checkTwilioAccount(apiOf: () => Promise<TwilioApi>): Promise<TwilioAccountCheck> {
  try {
    const account = await (await apiOf()).getAccount(accountBody, REQUEST_MS);
    if (!account) return 'refused';
    return account.status === 'active' ? 'ok' : 'inactive';
  } catch (error) {
    if (!(error instanceof TwilioError)) throw error;
    return error.kind === 'unauthorized' || error.kind === 'refused' ? 'refused' : 'unreachable';
  }
}
