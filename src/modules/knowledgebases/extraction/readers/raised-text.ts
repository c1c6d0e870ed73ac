const EXPONENTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Array.from('⁰¹²³⁴⁵⁶⁷⁸⁹', (raised, digit) => [String(digit), raised])),
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  n: 'ⁿ',
};
const DIGITS = new Map(Object.entries(EXPONENTS).map(([plain, raised]) => [raised, plain]));
const CURRENCY = /(?:R\$|US\$|[$€£¥₹]|\b(?:BRL|USD|EUR|GBP|ARS|MXN|CLP|CHF|CAD|AUD))\s*$/i;
const NUMBER = /(\d{1,3}(?:[.,\u00a0 ]\d{3})+|\d+)\s*$/;
const YEAR = /^(?:19|20)\d\d$/;
const LOOKED_BACK = 60;
const FRACTION = /([⁰¹²³⁴-⁹]{1,9})[/⁄](\d+)/g;

export type DecimalMark = ',' | '.';

export interface RaisedText {
  /** The text of the line so far. */
  readonly before: string;
  readonly text: string;
  readonly decimalMark: DecimalMark;
  /** It is only smaller, or is a link to a note: cents after a currency alone. */
  readonly isWeak: boolean;
}

/**
 * A line with raised text added to it in plain characters: cents of a price after a decimal mark (`R$ 99` and `90`), exponents and
 * numbers of notes as such (`m²`), ordinals (`nº`), and words apart.
 */
export function addRaised({ before, text, decimalMark, isWeak }: RaisedText): string {
  const raised = text.trim();
  if (raised === '') return before + text;
  if (/^\d\d$/.test(raised) && /\d[.,]\s*$/.test(before.slice(-LOOKED_BACK))) {
    return before.trimEnd() + raised + blankAfter(text);
  }
  const price = /^\d\d$/.test(raised) ? priceBefore(before, raised, isWeak) : null;
  if (price) return `${before.trimEnd()}${centsMark(price, decimalMark)}${raised}${blankAfter(text)}`;
  if (isWeak && !/^\d{1,3}$/.test(raised)) return before + text;
  return before + plainOf(raised, before) + blankAfter(text);
}

/** Fractions of which the upper number is raised are numbers in one line. */
export function flatFractions(line: string): string {
  if (!line.includes('/') && !line.includes('⁄')) return line;
  return line.replace(FRACTION, (_, upper: string, lower: string, at: number) => {
    const number = Array.from(upper, (digit) => DIGITS.get(digit) ?? digit).join('');
    return `${/\d$/.test(line.slice(0, at)) ? ' ' : ''}${number}/${lower}`;
  });
}

interface Price {
  readonly currency: string;
  readonly whole: string;
}

function priceBefore(before: string, cents: string, isWeak: boolean): Price | null {
  const end = before.slice(-LOOKED_BACK);
  const found = NUMBER.exec(end);
  const whole = found?.[1];
  if (!found || whole === undefined) return null;
  const start = end.slice(0, found.index);
  const currency = CURRENCY.exec(start)?.[0].trim() ?? '';
  if (currency !== '') return { currency, whole };
  if (isWeak || /\s$/.test(end)) return null;
  const isPower = whole === '10' || whole === '2' || /[\p{L}^]$/u.test(start) || YEAR.test(whole);
  return cents === '00' || /[.,]/.test(whole) || !isPower ? { currency, whole } : null;
}

function centsMark({ currency, whole }: Price, decimalMark: DecimalMark): DecimalMark {
  if (/\d\.\d{3}/.test(whole)) return ',';
  if (/\d,\d{3}/.test(whole)) return '.';
  if (/^(?:R\$|BRL)$/i.test(currency)) return ',';
  return /^(?:£|GBP)$/i.test(currency) ? '.' : decimalMark;
}

function plainOf(raised: string, before: string): string {
  if (/^(?:[+\-−]?\d{1,3}|n)$/.test(raised)) {
    return Array.from(raised, (character) => EXPONENTS[character] ?? character).join('');
  }
  const isAfterNumber = /(?:\d|\bn)$/i.test(before);
  if (isAfterNumber && /^[oº°]\.?$/i.test(raised)) return 'º';
  if (isAfterNumber && /^[aª]\.?$/i.test(raised)) return 'ª';
  if (/^tm$/i.test(raised)) return '™';
  if (/^\(?r\)?$/i.test(raised)) return '®';
  return /[\p{L}\d]$/u.test(before) && /^\p{L}{4,}/u.test(raised) ? ` ${raised}` : raised;
}

function blankAfter(text: string): string {
  return /\s$/.test(text) ? ' ' : '';
}
