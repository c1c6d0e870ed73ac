import type { CountryCode } from 'libphonenumber-js/max';
import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { toE164 } from '../../../../common/phone/e164.js';
import type { SrtpPolicy } from '../sdp/audio-negotiation.js';
import type { SipTargetName } from '../transport/sip-resolver.js';

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
  readonly username: string;
  readonly password: string;
  /** Where its calls come from; null: from whoever we register at, or logs in with our credentials. */
  readonly inboundAddresses: readonly string[] | null;
  readonly srtp: SrtpPolicy;
  /** See SipTrunk. */
  readonly contactUser?: string;
  /** When its account has proven that the number is its own, in milliseconds since 1970; null where it has not. */
  readonly provenAtMs: number | null;
}

type Format = Pick<TrunkNumber, 'callingFormat' | 'countryCode'>;

/** What no operator sends, and nobody can call. */
const ANONYMOUS = 'anonymous';
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

/** The spellings of a number by which it is looked up; `significant` ones have no sign and no leading zeros. */
export interface NumberSpellings {
  readonly exact: string;
  /** With country code; null for an extension. */
  readonly international: string | null;
  /** As callers within its country dial it; null for an extension. */
  readonly national: string | null;
}

/** How operators write a number. */
export function spellingsOf(number: string): NumberSpellings {
  if (!number.startsWith('+')) return { exact: number, international: null, national: null };
  const national = parsePhoneNumberFromString(number)?.nationalNumber ?? null;
  return { exact: number, international: number.slice(1), national };
}

/** What a user part in a SIP message may be a spelling of; null where it is no number in any form. */
export function readSpelling(
  written: string,
): { readonly digits: string; readonly isInternational: boolean } | null {
  if (!/^\+?[\d().-]+$/.test(written)) return null;
  const digits = written.replace(/\D/g, '');
  const isInternational = written.startsWith('+');
  return { digits: isInternational ? digits : digits.replace(/^0+/, ''), isInternational };
}

/** Whether a user part in a SIP message means the number, in whatever form operators write it. */
export function meansNumber(written: string, number: string): boolean {
  if (written === number) return true;
  const read = readSpelling(written);
  const { international, national } = spellingsOf(number);
  if (!read || international === null) return false;
  return read.digits === international || (!read.isInternational && read.digits === national);
}

/** Who calls: E.164 where it can be read as a number, else the extension; `anonymous` for anything else. */
export function callerOf(written: string, { callingFormat, countryCode }: Format): string {
  const country = countryCode as CountryCode;
  const international = /^\d{8,15}$/.test(written) ? toE164(`+${written}`, country) : null;
  const local = toE164(written, country);
  const read = callingFormat === 'national' ? (local ?? international) : (international ?? local);
  return (written.startsWith('+') ? local : read) ?? (CALLER.test(written) ? written : ANONYMOUS);
}
