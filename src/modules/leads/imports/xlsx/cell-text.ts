import { plainDecimal } from '#src/common/text/exact-json.js';

const PLAIN = /^-?\d+(?:\.\d+)?$/;
/** More digits than a spreadsheet shows are noise of binary fractions. */
const SHOWN_DIGITS = 15;
const MS_PER_DAY = 86_400_000;
/** Times of day are fractions of the first day that a spreadsheet knows. */
const FIRST_DAY_MS = Date.UTC(1900, 0, 1);

/** A number of a sheet, as the file has it, in all its digits and without an exponent. */
export function numberText(written: string): string {
  const text = written.trim();
  const plain = PLAIN.test(text) ? text : plainDecimal(text);
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '');
  if (!plain.includes('.') || digits.length <= SHOWN_DIGITS) return trimmed(plain);
  const rounded = Number(plain).toPrecision(SHOWN_DIGITS);
  return trimmed(PLAIN.test(rounded) ? rounded : plainDecimal(rounded));
}

/** A date or a time, as ISO 8601 writes them; a time of day alone for what has no date. */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  // The fraction of a day is no whole number of milliseconds.
  const rounded = new Date(Math.round(date.getTime() / 1_000) * 1_000);
  const [day = '', rest = ''] = rounded.toISOString().split('T');
  const time = rest.slice(0, rest.startsWith('00:00:00') || rest.slice(6, 8) === '00' ? 5 : 8);
  const isMidnight = rounded.getTime() % MS_PER_DAY === 0;
  if (isMidnight) return day;
  return rounded.getTime() < FIRST_DAY_MS ? time : `${day} ${time}`;
}

function trimmed(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}
