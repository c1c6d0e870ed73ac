import { operatorNumbers, type PdfPage } from './pdf-document.js';

/** What a page without text holds: pictures of text or drawings of it, text that cannot be decoded, or next to nothing. */
export type PageKind = 'picture' | 'drawn' | 'undecodable' | 'blank';

const WITHOUT_ANNOTATIONS = 0;
/** Letters that are drawn as outlines are many paths; a frame or a rule is few. */
const MIN_OUTLINES = 10;

export async function kindOfPage(page: PdfPage): Promise<PageKind> {
  const { fnArray, argsArray } = await page.getOperatorList({ annotationMode: WITHOUT_ANNOTATIONS });
  const numbers = await operatorNumbers();
  const isAny = (...names: string[]) => {
    const wanted = new Set(names.map((name) => numbers[name]));
    return (operator: number) => wanted.has(operator);
  };
  const isShown = isAny('showText');
  if (fnArray.some((operator, index) => isShown(operator) && hasLetters(argsArray[index])))
    return 'undecodable';
  // Images are not decoded, which leaves their place on the page alone.
  const isPlaced = (operator: number, index: number) =>
    operator === numbers.transform && fnArray[index + 1] === numbers.restore;
  const isShading = isAny(
    'shadingFill',
    'paintInlineImageXObject',
    'paintImageXObject',
    'paintImageMaskXObject',
  );
  if (fnArray.some(isPlaced) || fnArray.some(isShading)) return 'picture';
  const paths = fnArray.filter(isAny('constructPath', 'rawFillPath')).length;
  if (paths >= MIN_OUTLINES) return 'picture';
  return paths > 0 ? 'drawn' : 'blank';
}

/** Pages without text often print a space. */
function hasLetters(args: readonly unknown[] | null | undefined): boolean {
  const glyphs: readonly unknown[] = Array.isArray(args?.[0]) ? args[0] : [];
  return glyphs.some(
    (glyph) =>
      typeof glyph === 'object' &&
      glyph !== null &&
      'unicode' in glyph &&
      typeof glyph.unicode === 'string' &&
      glyph.unicode.trim() !== '',
  );
}
