import { parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** A person by the phone number under which an account knows them. */
export interface Person {
  readonly userId: number;
  /** E.164. */
  readonly phoneNumber: string;
  /** Regular expression, of PostgreSQL and of JavaScript, for a text that holds the number, in whatever form it is written. */
  readonly pattern: string;
}

/** What stands in a text where a number was. */
export const REMOVED = '***';

/** What people write between digits. */
const GAP = '[ ().\u00a0/-]{0,3}';
/** Shorter ones could be any number, so that they count only together with their country code. */
const MIN_NATIONAL_DIGITS = 8;

/** @param phoneNumber in E.164 */
export function personOf(userId: number, phoneNumber: string): Person {
  return { userId, phoneNumber, pattern: `(?:^|[^0-9])${formsOf(phoneNumber)}(?:$|[^0-9])` };
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
  return new RegExp(`(?<![0-9])${formsOf(phoneNumber)}(?![0-9])`, 'g');
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

/** The number with its country code, or as it is written at home, with the prefix of a long-distance call or without. */
function formsOf(phoneNumber: string): string {
  const national = parsePhoneNumberFromString(phoneNumber)?.nationalNumber ?? '';
  const international = `(?:00${GAP})?${spaced(phoneNumber.slice(1))}`;
  const forms =
    national.length >= MIN_NATIONAL_DIGITS
      ? [international, `(?:0${GAP}(?:[0-9]{2}${GAP})?)?${spaced(national)}`]
      : [international];
  return `[+(]{0,2}(?:${forms.join('|')})`;
}

function spaced(digits: string): string {
  return digits.split('').join(GAP);
}
