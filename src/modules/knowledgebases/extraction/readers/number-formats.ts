const ROMAN = [
  [1_000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;
const MAX_ROMAN = 3_999;

/**
 * A number of a list in a format of Office Open XML. Formats with letters and digits are known; others are written in
 * digits.
 */
export function numberAs(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(number);
    case 'upperLetter':
      return letters(number).toUpperCase();
    case 'lowerRoman':
      return roman(number);
    case 'upperRoman':
      return roman(number).toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'ordinal':
      return `${number}º`;
    default:
      return String(number);
  }
}

/** a to z, then aa to zz, as Word counts. */
function letters(number: number): string {
  if (number < 1 || number > 26 * 30) return String(number);
  return String.fromCodePoint(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

function roman(number: number): string {
  if (number < 1 || number > MAX_ROMAN) return String(number);
  let rest = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    for (; rest >= value; rest -= value) text += sign;
  }
  return text;
}
