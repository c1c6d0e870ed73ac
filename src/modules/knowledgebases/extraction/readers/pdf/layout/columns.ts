import { isContinuousScript } from '../../../continuous-script.js';
import { type Gutter, hasBothSides, isLeftOf } from './gutters.js';
import type { Row } from './rows.js';
import { textOfRuns } from './row-text.js';
import { endOf, type TextRun } from './text-run.js';

/** A line of one column: the runs next to the gutter. */
interface Side {
  readonly x: number;
  readonly end: number;
  readonly y: number;
  readonly text: string;
}

const MIN_LINES = 3;
/** Lines of prose have so many words or characters, and fill this part of their column. */
const MIN_WORDS = 4;
const MIN_CHARACTERS = 18;
const MIN_CONTINUOUS_CHARACTERS = 8;
const MIN_FILL = 0.62;
/** Below this share of common baselines the sides are set independently of each other. */
const MIN_ALIGNED = 0.5;
/** Lines further apart than this many letter heights are no running text. */
const MAX_LEADING = 2;
/** A gap this much larger than the usual one parts two rows of a table whose cells have several lines. */
const WIDE_GAP = 1.35;

/** Whether each side of the gutter is read by itself, as columns of an article are; else its rows are those of a table. */
export function isBetweenColumns(gutter: Gutter, rows: readonly Row[], letterHeight: number): boolean {
  const within = rows.slice(gutter.first, gutter.last + 1);
  const left = sidesOf(within, gutter, letterHeight, 'left');
  const right = sidesOf(within, gutter, letterHeight, 'right');
  if (Math.min(left.length, right.length) < MIN_LINES) return false;
  const isProse = isProseColumn(left) && isProseColumn(right);
  if (isProse) return !hasCellsOfSeveralLines(within, gutter);
  const aligned = gutter.bothSides / Math.min(left.length, right.length);
  const isDense = isDenseColumn(left, letterHeight) && isDenseColumn(right, letterHeight);
  return aligned < MIN_ALIGNED && isDense;
}

/** Whether wide gaps, which are common to both sides, part rows of a table that begin at both sides on one baseline. */
export function hasCellsOfSeveralLines(rows: readonly Row[], gutter: Gutter): boolean {
  const groups = rowGroups(rows);
  if (groups.length < 3 || rows.length < groups.length * 1.4) return false;
  const whole = groups.filter(([first]) => first && hasBothSides(first, gutter));
  return whole.length >= groups.length * 0.8;
}

/** Rows parted where the gap between them is wider than usual. */
export function rowGroups(rows: readonly Row[]): Row[][] {
  const gaps = rows.slice(1).map(({ y }, index) => (rows[index]?.y ?? y) - y);
  const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 3)] ?? 0;
  const groups: Row[][] = [];
  rows.forEach((row, index) => {
    const isApart = index === 0 || (gaps[index - 1] ?? 0) > usual * WIDE_GAP;
    if (isApart) groups.push([row]);
    else groups.at(-1)?.push(row);
  });
  return groups;
}

function sidesOf(
  rows: readonly Row[],
  gutter: Gutter,
  letterHeight: number,
  place: 'left' | 'right',
): Side[] {
  return rows.flatMap(({ runs, y }) => {
    const own = runs.filter((run) => isLeftOf(run, gutter) === (place === 'left'));
    const next = place === 'left' ? lastSegment(own, letterHeight) : firstSegment(own, letterHeight);
    const [first] = next;
    if (!first) return [];
    return [{ x: first.x, end: Math.max(...next.map(endOf)), y, text: textOfRuns(next) }];
  });
}

function firstSegment(runs: readonly TextRun[], letterHeight: number): readonly TextRun[] {
  const end = runs.findIndex((run, index) => {
    const before = runs[index - 1];
    return before !== undefined && run.x - endOf(before) > letterHeight;
  });
  return end === -1 ? runs : runs.slice(0, end);
}

function lastSegment(runs: readonly TextRun[], letterHeight: number): readonly TextRun[] {
  const start = runs.findLastIndex((run, index) => {
    const before = runs[index - 1];
    return before !== undefined && run.x - endOf(before) > letterHeight;
  });
  return start === -1 ? runs : runs.slice(start);
}

function isProseColumn(lines: readonly Side[]): boolean {
  const start = Math.min(...lines.map(({ x }) => x));
  const width = Math.max(...lines.map(({ end }) => end)) - start;
  const fill = median(lines.map(({ x, end }) => (end - x) / width));
  return fill >= MIN_FILL && lines.filter(({ text }) => isProseLine(text)).length >= lines.length / 2;
}

function isProseLine(text: string): boolean {
  if (isContinuousScript(text)) return text.length >= MIN_CONTINUOUS_CHARACTERS;
  return text.length >= MIN_CHARACTERS && text.split(' ').length >= MIN_WORDS;
}

function isDenseColumn(lines: readonly Side[], letterHeight: number): boolean {
  const gaps = lines.slice(1).map(({ y }, index) => (lines[index]?.y ?? y) - y);
  return median(gaps) <= letterHeight * MAX_LEADING;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
