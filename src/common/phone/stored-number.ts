import { toE164 } from './e164.js';

/** Caller number of an account without a number of its own, where the carrier places no real calls. */
export const SANDBOX_NUMBER = '+551130000000';

/** A plus sign in a query that was not encoded arrives as a space. */
const INTERNATIONAL = /^[+ ]/;

export function isInternational(phoneNumber: string): boolean {
  return INTERNATIONAL.test(phoneNumber);
}

/**
 * A number as calls hold it: E.164 when it can be read as one, in the country where none is written. What is no phone
 * number, such as an extension, stays as it is.
 */
export function toStoredNumber(phoneNumber: string, country = ''): string {
  const written = phoneNumber.trim();
  const text = isInternational(phoneNumber) ? written.replace(/^\+?/, '+') : written;
  return toE164(text, country) ?? written;
}
