import type { Line } from '../layout/line.js';

const EDGE_LINES = 2;
const MIN_PAGES = 4;
/** A line at this share of the pages is a running head or foot. */
const SHARE = 0.5;
/** Points by which its place may differ. */
const SAME_PLACE = 3;
/** A counted line with so many words names the document; shorter ones may be titles such as "Lot 7". */
const MIN_WORDS_WITH_NUMBER = 3;
const PAGE_WORD =
  /(?:^|[^\p{L}])(?:p(?:á|a)gs?(?:inas?)?|pages?|p|fls?|folhas?|sheets?|seiten?|hojas?)(?:[^\p{L}]|$)/iu;
const BARE_NUMBER = /^[\s\p{P}|]*\d+(?:\s*(?:\/|de|of)\s*\d+)?[\s\p{P}|]*$/iu;

interface Edge {
  readonly page: number;
  readonly line: Line;
  readonly numbers: readonly number[];
}

/**
 * Heads and feet, which say nothing about the text between them. Each is the same at the same place of most pages, apart from
 * a page number. Rows of data that differ in numbers alone are none. One that has no page number is left where it occurs first.
 */
export function runningLines(pages: readonly (readonly Line[])[], bodyHeight: number): ReadonlySet<Line> {
  const running = new Set<Line>();
  if (pages.length < MIN_PAGES) return running;
  for (const edges of edgesByText(pages).values()) {
    for (const group of byPlace(edges)) {
      if (new Set(group.map(({ page }) => page)).size < pages.length * SHARE) continue;
      for (const { line } of droppedOf(group, bodyHeight)) running.add(line);
    }
  }
  return running;
}

function edgesByText(pages: readonly (readonly Line[])[]): Map<string, Edge[]> {
  const edges = new Map<string, Edge[]>();
  pages.forEach((lines, page) => {
    const byHeight = lines.toSorted((a, b) => b.y - a.y);
    for (const line of new Set([...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)])) {
      const key = line.text.replace(/\d+/g, '#');
      const numbers = (line.text.match(/\d{1,9}/g) ?? []).map(Number);
      const edge = { page, line, numbers };
      const same = edges.get(key);
      if (same) same.push(edge);
      else edges.set(key, [edge]);
    }
  });
  return edges;
}

function byPlace(edges: readonly Edge[]): Edge[][] {
  const groups: Edge[][] = [];
  for (const edge of edges.toSorted((a, b) => a.line.y - b.line.y)) {
    const group = groups.at(-1);
    if (group?.[0] && edge.line.y - group[0].line.y <= SAME_PLACE) group.push(edge);
    else groups.push([edge]);
  }
  return groups.map((group) => group.toSorted((a, b) => a.page - b.page));
}

function droppedOf(edges: readonly Edge[], bodyHeight: number): readonly Edge[] {
  const [first] = edges;
  if (!first) return [];
  const places = first.numbers.map((_number, place) => placeKind(edges, place));
  if (places.every((kind) => kind === 'same')) return edges.slice(1);
  if (places.includes('different') || !isPageCount(first.line, bodyHeight)) return [];
  // What else a foot with a page number says, such as a telephone number, is kept once.
  return places.includes('same') && !/\d\s*(?:\/|de|of)\s*\d/i.test(first.line.text) ? edges.slice(1) : edges;
}

function placeKind(edges: readonly Edge[], place: number): 'same' | 'counted' | 'different' {
  const values = edges.map(({ page, numbers }) => ({ page, value: numbers[place] ?? 0 }));
  const [first] = values;
  if (!first || values.every(({ value }) => value === first.value)) return 'same';
  const isCounted = values.every(({ page, value }) => value - page === first.value - first.page);
  return isCounted ? 'counted' : 'different';
}

/** Whether a line whose number counts the pages is made for that, and is no title of what the page is about. */
function isPageCount({ text, height, isRow }: Line, bodyHeight: number): boolean {
  if (height > bodyHeight * 1.1) return false;
  if (BARE_NUMBER.test(text) || PAGE_WORD.test(text)) return true;
  return !isRow && (text.match(/\p{L}{2,}/gu) ?? []).length >= MIN_WORDS_WITH_NUMBER;
}
