import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { formsOf } from '../phone/e164.js';

/** A person by the phone number under which an account knows them. */
export interface Person {
  readonly userId: number;
  /** E.164. */
  readonly phoneNumber: string;
  /** Regular expression, of PostgreSQL and of JavaScript, for a text that contains the number, in any notation. */
  readonly pattern: string;
}

/** Replaces a number in a text. */
export const REMOVED = '***';

/** What people and programs write between digits. */
const GAP = '[ ().\u00a0\u00ad\u2007\u200b-\u2015\u202a-\u202f\u2060-\u2069/-]{0,3}';
/** Shorter ones could be any number, so that they count only together with their country code. */
const MIN_NATIONAL_DIGITS = 8;

/** @param phoneNumber in E.164 */
export function personOf(userId: number, phoneNumber: string): Person {
  return { userId, phoneNumber, pattern: `(?:^|[^0-9])${writtenForms(phoneNumber)}(?:$|[^0-9])` };
}

/** The text without the number of the person. */
export function withoutNumber(person: Person, text: string): string {
  return text.replace(numberOf(person), REMOVED);
}

/** A JSON value without the number of the person, in keys as well; a number that is one becomes null. */
export function jsonWithoutNumber<T>(person: Person, value: T): T {
  return cleaned(numberOf(person), value) as T;
}

function numberOf({ phoneNumber }: Person): RegExp {
  return new RegExp(`(?<![0-9])${writtenForms(phoneNumber)}(?![0-9])`, 'g');
}

function cleaned(number: RegExp, value: unknown): unknown {
  if (typeof value === 'string') return value.replace(number, REMOVED);
  if (typeof value === 'number')
    return String(value).replace(number, REMOVED) === String(value) ? value : null;
  if (Array.isArray(value)) return value.map((item) => cleaned(number, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.replace(number, REMOVED), cleaned(number, item)]),
  );
}

/** Every form in which the number may be stored or written. */
function writtenForms(phoneNumber: string): string {
  return `[+(]{0,2}(?:${formsOf(phoneNumber).flatMap(waysToWrite).join('|')})`;
}

/** A number with its country code, or as it is written at home, with the prefix of a long-distance call or without. */
function waysToWrite(phoneNumber: string): string[] {
  const national = parsePhoneNumberFromString(phoneNumber)?.nationalNumber ?? '';
  const international = `(?:00${GAP})?${spaced(phoneNumber.slice(1))}`;
  return national.length >= MIN_NATIONAL_DIGITS
    ? [international, `(?:0${GAP}(?:[0-9]{2}${GAP})?)?${spaced(national)}`]
    : [international];
}

function spaced(digits: string): string {
  return digits.split('').join(GAP);
}
