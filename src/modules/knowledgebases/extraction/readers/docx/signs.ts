/** Check boxes and bullets of the Wingdings fonts, by their places in them. */
const SIGNS: Readonly<Record<string, string>> = {
  FC: '✓',
  FE: '☑',
  FB: '✗',
  FD: '☒',
  A8: '☐',
  '6F': '☐',
};
const SIGNS_2: Readonly<Record<string, string>> = { '50': '✓', '52': '☑', '4F': '✗', '53': '☒', A3: '☐' };

/** A sign of a font in which letters are pictures; empty for one that says nothing. */
export function signOf(char: string, font: string): string {
  const place = char.slice(-2).toUpperCase();
  if (/^wingdings 2$/i.test(font)) return SIGNS_2[place] ?? '';
  if (/^wingdings/i.test(font)) return SIGNS[place] ?? '';
  const code = Number.parseInt(char, 16);
  return code > 32 && code < 0xe000 ? String.fromCodePoint(code) : '';
}
