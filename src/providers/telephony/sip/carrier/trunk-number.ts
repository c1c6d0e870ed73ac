import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { toE164, toKnownE164 } from '#src/common/phone/e164.js';
import type { SrtpPolicy, SipTargetName } from '@prosa/sip';
import { ANONYMOUS, isAnonymous } from './numbers/anonymous-caller.js';
import { formOf, type NumberForm, readDigits, spellingsOf } from './numbers/number-spellings.js';

/** How an operator wants numbers to be written. */
export type CallingFormat = '+e164' | 'e164' | 'national';

/** A number that an account has behind a trunk, with what it takes to use it. */
export interface TrunkNumber {
  /** Of its row, and so of the trunk's. */
  readonly phoneNumberId: number;
  readonly accountId: number;
  /** E.164, or an extension. */
  readonly number: string;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
  readonly callingFormat: CallingFormat;
  readonly target: SipTargetName;
  /** See SipTrunk. */
  readonly outboundProxy?: SipTargetName | null;
  readonly username: string;
  readonly password: string;
  /** Where its calls come from; null: from the registrar, or from a sender that logs in with our credentials. */
  readonly inboundAddresses: readonly string[] | null;
  readonly srtp: SrtpPolicy;
  /** See SipTrunk. */
  readonly contactUser?: string;
  /** When its account has proven that the number is its own, in milliseconds since 1970; null where it has not. */
  readonly provenAtMs: number | null;
}

type Format = Pick<TrunkNumber, 'callingFormat' | 'countryCode'> & Partial<Pick<TrunkNumber, 'number'>>;

/** Digits and the separators between them. */
const NUMBER_SIGNS = /^\+?\(?\d[\d()./\s-]*$/;
const CALLER = /^[\w*#+.-]{1,32}$/;

/** A number (E.164) as the operator wants it; what is none, such as an extension, stays as it is. */
export function writtenNumber(number: string, { callingFormat, countryCode }: Format): string {
  if (!number.startsWith('+') || callingFormat === '+e164') return number;
  if (callingFormat === 'e164') return number.slice(1);
  const phone = parsePhoneNumberFromString(number);
  if (!phone || !isSupportedCountry(countryCode)) return number.slice(1);
  if (phone.country === countryCode) return phone.formatNational().replace(/[^\d*#]/g, '');
  const abroad = phone.format('IDD', { fromCountry: countryCode }) as string | undefined;
  return abroad ? abroad.replace(/\D/g, '') : `00${number.slice(1)}`;
}

/** Whether a user part in a SIP message means the number, in any form that operators write it. */
export function meansNumber(written: string, number: string): boolean {
  return written === number || formOf(written, number) !== null;
}

/** How the names that a call is for write the number; of those that write it, the first. */
export function calledAs(
  dialled: readonly string[],
  { number, countryCode }: Pick<TrunkNumber, 'number' | 'countryCode'>,
): NumberForm | null {
  for (const written of dialled) {
    const form = formOf(written, number, countryCode);
    if (form !== null) return form;
  }
  return null;
}

/**
 * The caller: E.164 where it can be read as a number, else the extension. `anonymous` for a caller who withholds the
 * number, and for anything else. Without a plus sign a number may begin with its country code or be one of the
 * trunk's country. A reading counts only if it is a number that is given out. Where both are, the form of the called
 * number decides, else the format of the trunk.
 *
 * @param calledAs how the same INVITE writes the called number; null: in no form that is known
 */
export function callerOf(written: string, trunk: Format, calledAs: NumberForm | null = null): string {
  if (isAnonymous(written)) return ANONYMOUS;
  // No country code begins with 0: some exchanges put a plus sign before whatever was dialled.
  const text = NUMBER_SIGNS.test(written) ? written.replace(/[^+\d]/g, '').replace(/^\+0/, '0') : written;
  const number = text.startsWith('+') ? toE164(text, trunk.countryCode) : readCaller(text, trunk, calledAs);
  return number ?? (CALLER.test(written) ? written : ANONYMOUS);
}

function readCaller(digits: string, trunk: Format, calledAs: NumberForm | null): string | null {
  const { countryCode, callingFormat } = trunk;
  const international = /^[1-9]\d{7,14}$/.test(digits) ? toKnownE164(`+${digits}`, countryCode) : null;
  const national = toE164(digits, countryCode) ?? readCarrierCode(digits, countryCode);
  const local = calledAs === 'local' && national === null ? readLocal(digits, trunk) : null;
  if (local !== null || international === null || national === null)
    return local ?? international ?? national;
  if (calledAs !== null) return calledAs === 'international' ? international : national;
  if (callingFormat === 'e164' || isOfCountry(international, countryCode)) return international;
  return national;
}

/** A number behind a carrier selection code that the library does not know. */
function readCarrierCode(digits: string, country: string): string | null {
  if (country !== 'BR') return null;
  const rest = readDigits(digits)?.afterCarrierCode ?? null;
  if (rest === null) return null;
  return digits.startsWith('00') ? toKnownE164(`+${rest}`, country) : toE164(rest, country);
}

/** A subscriber number of the trunk's own area. */
function readLocal(digits: string, { number = '', countryCode }: Format): string | null {
  const { area } = spellingsOf(number, countryCode);
  return area !== null && /^[1-9]\d{4,8}$/.test(digits)
    ? toKnownE164(`+${area}${digits}`, countryCode)
    : null;
}

function isOfCountry(number: string, country: string): boolean {
  return isSupportedCountry(country) && number.startsWith(`+${getCountryCallingCode(country)}`);
}
