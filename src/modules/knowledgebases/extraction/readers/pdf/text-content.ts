import type { PdfItem, PdfTextContent } from './pdf-document.js';
import type { PlacedRun } from './layout/text-run.js';

export interface PageText {
  readonly runs: readonly PlacedRun[];
  /** Characters that could be decoded, and those whose font says nothing about what they are. */
  readonly decoded: number;
  readonly undecodable: number;
}

const VERTICAL_ANGLE = -90;
/** Bullets and ticks of the symbol fonts of Windows. */
const SYMBOLS = /[\uF0A7\uF0B7\uF076\uF0A8\uF0D8\uF0FC\uF0E0]/gu;
/** Old-style digits and small capitals have places of their own in older fonts of Adobe. */
const ADOBE_DIGITS_AND_CAPITALS = /[\uF730-\uF739\uF761-\uF77A\uF7E0-\uF7FE]/gu;
/** Ligatures, presentation forms and radicals, for which texts have letters. */
const COMPATIBILITY_FORMS =
  /[\u2000-\u200A\u202F\u2E80-\u2FDF\uF900-\uFAFF\uFB00-\uFB4F\uFB50-\uFDCF\uFDF0-\uFDFF\uFE30-\uFE4F\uFE70-\uFEFC]/gu;
/** Characters that no text has: without a meaning of their own, or control characters. */
const UNDECODABLE = /[\uFFFD\p{Co}\p{Cn}]|(?![\t\n\r])\p{Cc}/gu;

/** Runs of a page with their places. */
export function pageText({ items, styles }: PdfTextContent): PageText {
  const runs: PlacedRun[] = [];
  let decoded = 0;
  let undecodable = 0;
  let followsSpace = false;
  for (const item of items) {
    const { str = '', transform } = item;
    const text = str
      .replace(SYMBOLS, '•')
      .replace(ADOBE_DIGITS_AND_CAPITALS, plainCharacter)
      .replace(UNDECODABLE, '')
      .replace(COMPATIBILITY_FORMS, (form) => form.normalize('NFKC'));
    undecodable += undecodableIn(str);
    if (transform && text.trim() !== '') {
      decoded += text.trim().length;
      const isVertical = styles[item.fontName ?? '']?.vertical ?? false;
      runs.push(placed(item, transform, text, isVertical, followsSpace));
    }
    followsSpace = text !== '' && text.trim() === '';
  }
  return { runs, decoded, undecodable };
}

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0xf760) return String.fromCharCode(code - 0xf700);
  return String.fromCharCode(code - 0xf720);
}

/** A symbol by itself is an icon; between letters it is one of them. */
function undecodableIn(text: string): number {
  const symbols = text.match(UNDECODABLE) ?? [];
  const areIcons = symbols.length < 3 && symbols.every((symbol) => /\p{Co}/u.test(symbol));
  return areIcons ? 0 : symbols.length;
}

function placed(
  item: PdfItem,
  transform: readonly number[],
  text: string,
  isVertical: boolean,
  followsSpace: boolean,
): PlacedRun {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const angle = (Math.atan2(b, a) * 180) / Math.PI;
  const letterHeight = Math.hypot(c, d);
  return {
    text,
    x,
    y,
    followsSpace,
    angle: isVertical ? angle + VERTICAL_ANGLE : angle,
    width: (isVertical ? item.height : item.width) ?? 0,
    height: isVertical ? letterHeight : (item.height ?? letterHeight) || letterHeight,
  };
}
