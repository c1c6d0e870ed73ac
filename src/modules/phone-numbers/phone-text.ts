import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

export interface PhoneText {
  readonly e164: string;
  /** ISO 3166-1 alpha-2; null where the number belongs to no single country. */
  readonly countryCode: string | null;
}

/**
 * Reads an international number, in any spacing; null when it is none. Only its form is checked: numbering plans
 * change faster than any list of ranges, so the carrier decides whether a number is in use.
 */
export function readPhone(text: string): PhoneText | null {
  const parsed = parsePhoneNumberFromString(text, { extract: false });
  if (!parsed || parsed.ext || !parsed.isPossible()) return null;
  return { e164: parsed.number, countryCode: parsed.country ?? null };
}

/** An E.164 number with the usual spaces, such as `+1 212 555 0100`. */
export function formatPhone(e164: string): string {
  return parsePhoneNumberFromString(e164)?.formatInternational() ?? e164;
}
