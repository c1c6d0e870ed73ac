/** Longer than any way to write a number, with all the signs around it that are not part of it. */
const MAX_INPUT_LENGTH = 160;
/** Longer than any way to write a number; longer texts are not worth parsing. */
const MAX_NUMBER_LENGTH = 40;
/** `="+5511…"`, by which a spreadsheet keeps a number as text. */
const TEXT_FORMULA = /^=\s*"([^"]*)"$/;
/** An apostrophe that keeps a cell as text, once for each time it went through a spreadsheet. */
const LEADING_MARKS = /^['’‘`´]+/;
const SCHEME = /^(?:tel|callto|sms|smsto|whatsapp|wa):(?:\/\/)?/i;
/** `0xx11`: the place of the operator's code in numbers written at home. */
const OPERATOR_PLACE = /^(\(?)0[xX]{2}/;
/** What programs make of a column of numbers. */
const DECIMAL = /^(\+?\d+)[.,]0+$/;
const SCIENTIFIC = /^(\+?)(\d)(?:[.,](\d+))?[eE]\+?(\d{1,2})$/;

/**
 * A phone number as a person would type it, of what spreadsheets, CRMs and address books make of one: without invisible
 * characters, with ASCII digits, hyphens and spaces, without the signs by which a cell is kept as text, without `tel:`.
 *
 * @returns null for a text that is too long to be a number
 */
export function plainNumber(input: string): string | null {
  if (input.length > MAX_INPUT_LENGTH) return null;
  const visible = input
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim();
  const bare = (TEXT_FORMULA.exec(visible)?.[1] ?? visible).replace(LEADING_MARKS, '').trim();
  const unquoted = (TEXT_FORMULA.exec(bare)?.[1] ?? bare).trim();
  const written = withoutScheme(unquoted).replace(OPERATOR_PLACE, '$10');
  const text = expanded(written.replace(DECIMAL, '$1')).replace(/^\(\+(\d{1,3})\)/, '+$1 ');
  return text.length > MAX_NUMBER_LENGTH ? null : text;
}

/** Whether a spreadsheet has written the number with an exponent, and with it fewer digits than the number has. */
export function hasLostDigits(input: string): boolean {
  const text = input.trim().replace(LEADING_MARKS, '');
  return SCIENTIFIC.test(text) && expanded(text) === text;
}

/** Parameters of a URI that say more than the number stay, so that the parser judges them. */
function withoutScheme(text: string): string {
  if (!SCHEME.test(text)) return text;
  return /;/.test(text) ? text.replace(SCHEME, 'tel:') : text.replace(SCHEME, '').trim();
}

/** `1.1987654321E+10` with all its digits; one that has fewer stays as it is. */
function expanded(text: string): string {
  const match = SCIENTIFIC.exec(text);
  if (!match) return text;
  const [, sign = '', first = '', rest = '', exponent = ''] = match;
  const places = Number(exponent);
  const digits = rest.slice(0, places);
  const isWhole = rest.length >= places && /^0*$/.test(rest.slice(places));
  return isWhole ? `${sign}${first}${digits}` : text;
}
