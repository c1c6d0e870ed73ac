import { exactNumber } from '../../common/text/exact-json.js';

/** A number that a double would change, such as an order number of 19 digits or a postal code with zeros in front. */
export class ExactNumber {
  constructor(private readonly digits: string) {}

  /** False for zeros in front, with which JSON has no numbers. */
  get isJson(): boolean {
    return !/^-?0\d/.test(this.digits);
  }

  toString(): string {
    return this.digits;
  }
}

const DECIMAL = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number as a model gave it, in digits or as text; undefined for what is none, or has lost digits already. */
export function toNumber(given: unknown): number | ExactNumber | undefined {
  if (typeof given === 'number') return hasAllDigits(given) ? given : undefined;
  const text = typeof given === 'string' ? given.trim() : '';
  if (!DECIMAL.test(text)) return text === '' ? undefined : heldNumber(Number(text));
  const unsigned = text.replace('+', '');
  if (/^-?0\d/.test(unsigned)) return new ExactNumber(unsigned);
  const number = exactNumber(unsigned);
  if (typeof number === 'number') return number;
  return Number.isFinite(Number(number)) ? new ExactNumber(number) : undefined;
}

/** Beyond 2^53 there are integers that no double holds: which one was meant is not known any more. */
export function hasAllDigits(number: number): boolean {
  return Number.isInteger(number) ? Number.isSafeInteger(number) : Number.isFinite(number);
}

function heldNumber(number: number): number | undefined {
  return hasAllDigits(number) ? number : undefined;
}
