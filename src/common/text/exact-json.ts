import { parse } from 'lossless-json';

/** What any number with 16 digits or an exponent has in it. It is found much faster than the number. */
const LONG_NUMBER_SIGN = /[\d.]{16}|\d[eE]/;
/** A number that a double might change: 16 digits or more, or an exponent. */
const LONG_NUMBER = /(?:^|[:,[])\s*-?(?:[\d.]{16}|\d[\d.]*[eE])/;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Of the digits that an exponent adds. */
const MAX_EXPONENT = 400;

/**
 * Reads JSON whose numbers keep their digits. A number that a double cannot hold (an integer beyond 2^53, a decimal
 * of more digits) becomes a string of its digits. All others become numbers.
 *
 * @throws SyntaxError
 */
export function parseExact(json: string): unknown {
  if (!hasLongNumber(json)) return JSON.parse(json);
  return parse(json, undefined, {
    parseNumber: exactNumber,
    // As JSON.parse: the last one counts.
    onDuplicateKey: ({ newValue }: { readonly newValue: unknown }) => newValue,
  });
}

/** The same JSON with strings of digits in place of the numbers that a double cannot hold. Text that is no JSON stays as it is. */
export function withExactNumbers(json: string): string {
  if (!hasLongNumber(json)) return json;
  try {
    return JSON.stringify(parseExact(json));
  } catch {
    return json;
  }
}

function hasLongNumber(json: string): boolean {
  return LONG_NUMBER_SIGN.test(json) && LONG_NUMBER.test(json);
}

/** A number as it is written in JSON: a number where a double holds it, else a string of its digits. */
export function exactNumber(written: string): number | string {
  const value = Number(written);
  const isHeld = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
  const digits = plainDecimal(written);
  return isHeld && plainDecimal(String(value)) === digits ? value : digits;
}

/**
 * A decimal number without an exponent, without a plus and without zeros that say nothing: `-1.50e3` is `-1500`. A number with
 * an exponent beyond 400, and text that is no number, stay as they are.
 */
export function plainDecimal(written: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] = DECIMAL.exec(written) ?? [];
  const exponent = Number(power);
  if (whole === '' || Math.abs(exponent) > MAX_EXPONENT) return written;
  const digits = '0'.repeat(Math.max(0, 1 - whole.length - exponent)) + whole + fraction;
  const point = Math.max(1, whole.length + exponent);
  const before = digits
    .slice(0, point)
    .padEnd(point, '0')
    .replace(/^0+(?=\d)/, '');
  const after = withoutLastZeros(digits.slice(point));
  const plain = after === '' ? before : `${before}.${after}`;
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
