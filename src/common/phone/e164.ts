import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { plainNumber } from './written-number.js';

/** A Brazilian mobile number as it was written until 2016: eight digits, the first of them 6 to 9. */
const OLD_BRAZILIAN_MOBILE = /^\+55([1-9][1-9])([6-9]\d{7})$/;
const BRAZILIAN_MOBILE = /^\+55([1-9][1-9])9([6-9]\d{7})$/;
/** Until 2019 a 1 was dialled before Mexican mobile numbers from abroad. */
const OLD_MEXICAN_MOBILE = /^\+521(\d{10})$/;
const MEXICAN_NUMBER = /^\+52([2-9]\d{9})$/;
/** The prefix of a call abroad, which most countries share; no national number has it. */
const ABROAD = /^00(?=[1-9])/;

/**
 * A phone number in E.164 form; null when it is none, or cannot be dialled as it is (an extension). It may be written
 * as spreadsheets, CRMs and address books write it. Of a number in international form only the length is checked,
 * because new ranges appear faster than any list of them. A number without a country code must be of a known range,
 * or a missing area code would go unnoticed. A mobile number in a form that its country has given up is completed.
 *
 * @param country two-letter code for numbers written without a country code
 */
export function toE164(input: string, country: string): string | null {
  const text = plainNumber(input);
  if (text === null) return null;
  return (
    parsed(text, country) ?? (ABROAD.test(text) ? parsed(text.replace(ABROAD, '+'), country, true) : null)
  );
}

/** The same, of a number in international form that must be of a known range as well. */
export function toKnownE164(input: string, country: string): string | null {
  const text = plainNumber(input);
  return text === null ? null : parsed(text, country, true);
}

/**
 * The same, but a number in international form keeps the form in which it is written: who gives a country code names exactly
 * what is to be dialled.
 */
export function toDialledE164(input: string, country: string): string | null {
  const current = toE164(input, country);
  const text = plainNumber(input) ?? '';
  if (current === null || !text.startsWith('+')) return current;
  return parsePhoneNumberFromString(text, { extract: false })?.number ?? current;
}

/** @param mustBeKnown also of a number in international form */
function parsed(text: string, country: string, mustBeKnown = false): string | null {
  const defaultCountry: CountryCode | undefined = isSupportedCountry(country) ? country : undefined;
  const phone = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
  if (!phone || phone.ext) return null;
  const number = currentForm(phone.number);
  const current = number === phone.number ? phone : parsePhoneNumberFromString(number);
  const isInternational = text.startsWith('+') && !mustBeKnown;
  return (isInternational ? current?.isPossible() : current?.isValid()) ? number : null;
}

/**
 * A number (E.164) in the form that its country uses today: a Brazilian mobile number with its ninth digit, a Mexican one
 * without the 1. Both forms reach one person, so they are compared and dialled in this one.
 */
export function currentForm(e164: string): string {
  return e164.replace(OLD_BRAZILIAN_MOBILE, '+55$19$2').replace(OLD_MEXICAN_MOBILE, '+52$1');
}

/** The forms under which a number (E.164) may have been stored, the current one first. */
export function formsOf(e164: string): readonly string[] {
  const current = currentForm(e164);
  const old = current.replace(BRAZILIAN_MOBILE, '+55$1$2').replace(MEXICAN_NUMBER, '+521$1');
  return old === current ? [current] : [current, old];
}

/** Where a number (E.164) is at home, as an ISO 3166-1 alpha-2 code; null for one of no single country. */
export function countryOf(e164: string): string | null {
  return parsePhoneNumberFromString(e164)?.country ?? null;
}
