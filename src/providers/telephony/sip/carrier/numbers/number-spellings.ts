import { formsOf } from '#src/common/phone/e164.js';
import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';

/**
 * How a name in a SIP message writes a number: with its country code, as callers within the country dial it, or as callers
 * within the area dial it.
 */
export type NumberForm = 'international' | 'national' | 'local';

/** The digits by which a number is looked up. Those without a plus sign have no leading zeros. */
export interface NumberSpellings {
  readonly exact: string;
  /** After a plus sign. Empty for an extension. */
  readonly global: readonly string[];
  /** Without a plus sign, with the country code or the prefix of a call abroad. */
  readonly international: readonly string[];
  /** Without the country code, with or without the trunk prefix. */
  readonly national: readonly string[];
  /** The subscriber number alone. Empty where the area code is always dialled. */
  readonly local: readonly string[];
  /** Country and area code, without a plus sign; null where {@link local} is empty. */
  readonly area: string | null;
}

/** What a user part in a SIP message may be a spelling of. */
export interface WrittenDigits {
  readonly digits: string;
  readonly isGlobal: boolean;
  readonly hasLeadingZero: boolean;
  /** Without a Brazilian carrier selection code; null where there is none. */
  readonly afterCarrierCode: string | null;
}

const NUMBER_SIGNS = /^\+?[\d()./\s-]+$/;
/** `0 XX` before a national number, and `00 XX` before one with its country code. */
const CARRIER_CODE = /^(?:0[1-9]\d(?=[1-9]\d{9,10}$)|00[1-9]\d(?=[1-9]\d{9,14}$))/;
/** A trunk prefix after the country code, with or without a carrier code, and before that the prefix of a call abroad. */
const GLOBAL_CARRIER_CODE = /^(?:00)?(55)0(?:[1-9]\d)?(?=[1-9]\d{9,10}$)/;
const BRAZIL = '55';
/** Shorter ones are those of extensions. */
const MIN_LOCAL_DIGITS = 5;
/** Countries whose mobile numbers belong to an area: Argentina and Brazil. */
const MOBILE_AREAS: ReadonlySet<string> = new Set(['54', BRAZIL]);
/** From abroad an Argentinian mobile number has a 9 before its area code, and at home a 15 before its subscriber number. */
const ARGENTINA = '54';
/** Read once from the library, which has no direct way to them. */
const PREFIXES_ABROAD = new Map<CountryCode, string>();

/**
 * How operators write a number.
 *
 * @param country ISO 3166-1 alpha-2, of the trunk that the number is behind
 */
export function spellingsOf(number: string, country: string): NumberSpellings {
  const none = { exact: number, global: [], international: [], national: [], local: [], area: null };
  if (!number.startsWith('+')) return none;
  const digits = number.slice(1);
  const phone = parsePhoneNumberFromString(number);
  if (!phone) return { ...none, global: [digits], international: [digits] };
  const { countryCallingCode } = phone;
  const nationals = nationalNumbersOf(phone);
  const global = nationals.flatMap((national) => [
    `${countryCallingCode}${national}`,
    `${countryCallingCode}0${national}`,
  ]);
  return {
    exact: number,
    global,
    international: unique(global.flatMap((one) => [one, `${prefixAbroadOf(country)}${one}`])),
    national: unique([...nationals, digitsOf(phone.formatNational())]),
    ...localSpellingsOf(phone),
  };
}

/** The number after its country code, also in the forms that the country has given up, or that only some callers dial. */
function nationalNumbersOf(phone: PhoneNumber): string[] {
  const known = formsOf(phone.number).map((form) => form.slice(1 + phone.countryCallingCode.length));
  if (!isArgentinianMobile(phone)) return known;
  const { area, local } = argentinianPartsOf(phone);
  return [...known, `${area}${local}`, `${area}15${local}`];
}

/** Null where a user part in a SIP message is no number in any form. */
export function readDigits(written: string): WrittenDigits | null {
  if (!NUMBER_SIGNS.test(written)) return null;
  const all = digitsOf(written);
  // No country code begins with 0: some exchanges put a plus sign before whatever was dialled.
  const isGlobal = /^\+[^0]/.test(written);
  const home = isGlobal ? all : all.replace(CARRIER_CODE, '');
  const rest = home === all ? all.replace(GLOBAL_CARRIER_CODE, '$1') : home;
  return {
    digits: isGlobal ? all : bare(all),
    isGlobal,
    hasLeadingZero: all.startsWith('0'),
    afterCarrierCode: rest === all ? null : rest,
  };
}

/** In which form a user part in a SIP message writes a number; null where it does not. */
export function formOf(written: string, number: string, country = ''): NumberForm | null {
  const read = readDigits(written);
  const spellings = spellingsOf(number, country);
  if (!read || spellings.global.length === 0) return null;
  const { digits, isGlobal, hasLeadingZero, afterCarrierCode } = read;
  const readings =
    takesCarrierCode(number) && afterCarrierCode !== null ? [digits, afterCarrierCode] : [digits];
  const isAmong = (spelled: readonly string[]) => readings.some((one) => spelled.includes(one));
  if (isGlobal) return isAmong(spellings.global) ? 'international' : null;
  if (isAmong(spellings.international)) return 'international';
  if (isAmong(spellings.national)) return 'national';
  return !hasLeadingZero && spellings.local.includes(digits) ? 'local' : null;
}

/** Whether carrier selection codes are dialled before the number. */
export function takesCarrierCode(number: string): boolean {
  return number.startsWith(`+${BRAZIL}`);
}

/**
 * The formats of the library set an area code apart that may be left out: in brackets, or after the trunk prefix. In the
 * national formats of closed numbering plans it is neither.
 */
function localSpellingsOf(phone: PhoneNumber): Pick<NumberSpellings, 'local' | 'area'> {
  const none = { local: [], area: null };
  const { countryCallingCode } = phone;
  const isMobile = phone.getType() === 'MOBILE';
  if (!hasArea(phone) || (isMobile && !MOBILE_AREAS.has(countryCallingCode))) return none;
  const national = phone.formatNational();
  if (!national.startsWith('(') && digitsOf(national) === phone.nationalNumber) return none;
  if (isArgentinianMobile(phone)) {
    const { area, local } = argentinianPartsOf(phone);
    return { local: [local, `15${local}`], area: `${countryCallingCode}9${area}` };
  }
  const [area = '', ...rest] = digitGroupsOf(phone.formatInternational()).slice(1);
  const local = rest.join('');
  if (local.length < MIN_LOCAL_DIGITS) return none;
  const forms = formsOf(phone.number).filter((form) => form.startsWith(`+${countryCallingCode}${area}`));
  return {
    local: forms.map((form) => form.slice(1 + countryCallingCode.length + area.length)),
    area: `${countryCallingCode}${area}`,
  };
}

function isArgentinianMobile(phone: PhoneNumber): boolean {
  return phone.countryCallingCode === ARGENTINA && phone.getType() === 'MOBILE';
}

function argentinianPartsOf(phone: PhoneNumber): { readonly area: string; readonly local: string } {
  // After the country code and the 9.
  const [area = '', ...rest] = digitGroupsOf(phone.formatInternational()).slice(2);
  return { area, local: rest.join('') };
}

/** The library does not know the type of numbers in ranges that are new. */
function hasArea(phone: PhoneNumber): boolean {
  const type = phone.getType();
  return type === undefined || type === 'FIXED_LINE' || type === 'FIXED_LINE_OR_MOBILE' || type === 'MOBILE';
}

/** What is dialled before a number abroad, such as 011; empty where it is not known or depends on the carrier. */
function prefixAbroadOf(country: string): string {
  if (!isSupportedCountry(country)) return '';
  return PREFIXES_ABROAD.get(country) ?? findPrefixAbroad(country);
}

function findPrefixAbroad(country: CountryCode): string {
  const abroad = parsePhoneNumberFromString(country === 'BR' ? '+12125550123' : '+551130000001');
  const dialled = abroad?.format('IDD', { fromCountry: country });
  const prefix = digitsOf(dialled ?? '').slice(0, -(abroad?.number.length ?? 0) + 1);
  PREFIXES_ABROAD.set(country, prefix);
  return prefix;
}

function unique(spelled: readonly string[]): string[] {
  return [...new Set(spelled.map(bare))];
}

function bare(digits: string): string {
  return digits.replace(/^0+/, '');
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function digitGroupsOf(text: string): string[] {
  return text.split(/\D+/).filter((group) => group !== '');
}
