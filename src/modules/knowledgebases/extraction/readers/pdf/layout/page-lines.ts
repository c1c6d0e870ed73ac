import { isBetweenColumns } from './columns.js';
import { type Gutter, guttersOf, isLeftOf } from './gutters.js';
import { letterHeightOf } from './letter-height.js';
import type { Line, UnspacedLine } from './line.js';
import { directionOf, textOfRuns } from './row-text.js';
import { type Row, rowsOf } from './rows.js';
import { tableLines } from './tables.js';
import { endOf, groupByDirection, type PlacedRun, type TextRun, withoutCopies } from './text-run.js';

/** Columns within columns that are looked for. */
const MAX_DEPTH = 8;
/** Cells that no column of a table explains are this many letter heights apart. */
const CELL_GAP = 3;

/** The lines of a page in the order in which they are read. */
export function pageLines(runs: readonly PlacedRun[]): Line[] {
  return groupByDirection(runs)
    .map(withoutCopies)
    .flatMap((group) => spaced(readingOrder(group, letterHeightOf(group), 0)));
}

function spaced(lines: readonly UnspacedLine[]): Line[] {
  let previous: number | null = null;
  return lines.map((line) => {
    const gap = previous === null || line.y >= previous ? null : previous - line.y;
    previous = line.y;
    return { ...line, gap };
  });
}

/** Columns one after the other, each from top to bottom; what spans them is read before or after. */
function readingOrder(runs: readonly TextRun[], letterHeight: number, depth: number): UnspacedLine[] {
  const rows = rowsOf(runs);
  const gutters = guttersOf(rows, letterHeight);
  const columns = depth < MAX_DEPTH && gutters.find((gutter) => isBetweenColumns(gutter, rows, letterHeight));
  if (!columns) return linesOfRows(rows, gutters, letterHeight);
  const within = rows.slice(columns.first, columns.last + 1).flatMap((row) => row.runs);
  const left = within.filter((run) => isLeftOf(run, columns));
  const right = within.filter((run) => !isLeftOf(run, columns));
  const sides = directionOf(within) === 'rtl' ? [right, left] : [left, right];
  const above = rows.slice(0, columns.first).flatMap((row) => row.runs);
  const below = rows.slice(columns.last + 1).flatMap((row) => row.runs);
  return [above, ...sides, below].flatMap((part) =>
    part.length === 0 ? [] : readingOrder(part, letterHeight, depth + 1),
  );
}

function linesOfRows(rows: readonly Row[], gutters: readonly Gutter[], letterHeight: number): UnspacedLine[] {
  const tables = tableLines(rows, gutters, letterHeight);
  return rows.flatMap((row, index) => tables.get(index) ?? [plainLine(row)]);
}

function plainLine({ runs, y, height }: Row): UnspacedLine {
  const cells: TextRun[][] = [];
  for (const run of runs) {
    const cell = cells.at(-1);
    const end = cell === undefined ? -Infinity : Math.max(...cell.map(endOf));
    if (cell && run.x - end <= height * CELL_GAP) cell.push(run);
    else cells.push([run]);
  }
  const ordered = directionOf(runs) === 'rtl' ? cells.toReversed() : cells;
  return { text: ordered.map(textOfRuns).join(' | '), height, y, isRow: cells.length > 1 };
}
