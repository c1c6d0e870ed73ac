import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Longer than any way to write a number; longer texts are not worth parsing. */
const MAX_INPUT_LENGTH = 40;

/**
 * A phone number in E.164 form; null when it is none, or cannot be dialled as it is (an extension). Of a number in
 * international form only the length is judged, because ranges are given out faster than any list of them is; one
 * without a country code must also be of a known range, or a missing area code would go unnoticed.
 *
 * @param country two-letter code for numbers written without a country code
 */
export function toE164(input: string, country: string): string | null {
  const text = input.trim();
  if (text.length > MAX_INPUT_LENGTH) return null;
  const defaultCountry: CountryCode | undefined = isSupportedCountry(country) ? country : undefined;
  const phone = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  if (!phone || phone.ext) return null;
  const isDiallable = text.startsWith('+') ? phone.isPossible() : phone.isValid();
  return isDiallable ? phone.number : null;
}

/** Where a number (E.164) is at home, as an ISO 3166-1 alpha-2 code; null for one of no single country. */
export function countryOf(e164: string): string | null {
  return parsePhoneNumberFromString(e164)?.country ?? null;
}
