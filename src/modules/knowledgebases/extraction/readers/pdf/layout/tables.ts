import { hasCellsOfSeveralLines, rowGroups } from './columns.js';
import { type Gutter, hasBothSides, isLeftOf } from './gutters.js';
import { joinLines } from '../lines/line-join.js';
import type { UnspacedLine } from './line.js';
import type { Row } from './rows.js';
import { directionOf, textOfRuns } from './row-text.js';
import type { TextRun } from './text-run.js';

interface TableColumns {
  first: number;
  last: number;
  readonly gutters: Gutter[];
}

/** A strip that two rows have by chance, between words of justified text, is narrower than this many letter heights. */
const MIN_WIDTH_OF_TWO = 1.5;
/** Gutters between scattered words make columns that have next to nothing in them. */
const MIN_FILLED = 0.6;
const LIST_MARK = /^(?:[•▪‣·◦●○■□–—*o-]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])$/;

/** What takes the place of each row that is part of a table, by its index. */
export function tableLines(
  rows: readonly Row[],
  gutters: readonly Gutter[],
  letterHeight: number,
): ReadonlyMap<number, readonly UnspacedLine[]> {
  const lines = new Map<number, readonly UnspacedLine[]>();
  for (const table of tablesOf(rows, gutters, letterHeight)) {
    const within = rows.slice(table.first, table.last + 1);
    within.forEach((_row, index) => lines.set(table.first + index, []));
    lines.set(table.first, linesOfTable(within, table.gutters));
  }
  return lines;
}

/** Gutters whose rows overlap are columns of one table. */
function tablesOf(rows: readonly Row[], gutters: readonly Gutter[], letterHeight: number): TableColumns[] {
  const tables: TableColumns[] = [];
  const columns = gutters
    .map((gutter) => trimmed(gutter, rows))
    .filter((gutter) => isColumnOfTable(gutter, rows, letterHeight))
    .toSorted((a, b) => a.first - b.first);
  for (const gutter of columns) {
    const table = tables.at(-1);
    if (table && gutter.first <= table.last) {
      table.last = Math.max(table.last, gutter.last);
      table.gutters.push(gutter);
    } else tables.push({ first: gutter.first, last: gutter.last, gutters: [gutter] });
  }
  return tables;
}

/** From the first to the last row that has text at both sides. */
function trimmed(gutter: Gutter, rows: readonly Row[]): Gutter {
  const hasBoth = (row: Row) => hasBothSides(row, gutter);
  const within = rows.slice(gutter.first, gutter.last + 1);
  const first = within.findIndex(hasBoth);
  const last = within.findLastIndex(hasBoth);
  return { ...gutter, first: gutter.first + first, last: gutter.first + last };
}

function isColumnOfTable(gutter: Gutter, rows: readonly Row[], letterHeight: number): boolean {
  const { left, right, bothSides, first, last } = gutter;
  if (bothSides < 2 || (bothSides < 3 && right - left < letterHeight * MIN_WIDTH_OF_TWO)) return false;
  return rows.slice(first, last + 1).some(({ runs }) => {
    const own = runs.filter((run) => isLeftOf(run, gutter));
    return own.length > 0 && own.length < runs.length && !LIST_MARK.test(textOfRuns(own).trim());
  });
}

function linesOfTable(rows: readonly Row[], gutters: readonly Gutter[]): UnspacedLine[] {
  const hasSeveralLines = gutters.some((gutter) => hasCellsOfSeveralLines(rows, gutter));
  const groups = hasSeveralLines ? rowGroups(rows) : rows.map((row) => [row]);
  const columns = new Set(rows.flatMap(({ runs }) => [...byColumn(runs, gutters).keys()]));
  const ordered = [...columns].toSorted((a, b) => a - b);
  if (directionOf(rows.flatMap(({ runs }) => runs)) === 'rtl') ordered.reverse();
  const tableRows = groups.map((group) => ({ group, cells: cellsOf(group, gutters) }));
  const filled = tableRows.reduce((sum, { cells }) => sum + cells.size, 0);
  const keepsEmpty = ordered.length > 2 && filled >= ordered.length * tableRows.length * MIN_FILLED;
  return tableRows.flatMap(({ group, cells }) => {
    const [first] = group;
    if (!first) return [];
    const height = Math.max(...group.map((row) => row.height));
    return [{ text: rowText(cells, ordered, keepsEmpty), height, y: first.y, isRow: true }];
  });
}

/** Empty cells keep their place where there are several that could be meant, in a table most of whose cells are filled. */
function rowText(
  cells: ReadonlyMap<number, string>,
  columns: readonly number[],
  keepsEmpty: boolean,
): string {
  if (!keepsEmpty) return columns.flatMap((column) => cells.get(column) ?? []).join(' | ');
  const last = columns.findLastIndex((column) => cells.has(column));
  return columns
    .slice(0, last + 1)
    .map((column) => cells.get(column) ?? '')
    .join(' | ');
}

/** Texts of the cells of one row of a table, which may have several lines, by their columns. */
function cellsOf(rows: readonly Row[], gutters: readonly Gutter[]): Map<number, string> {
  const cells = new Map<number, string>();
  for (const { runs } of rows) {
    for (const [column, cell] of byColumn(runs, gutters)) {
      const text = textOfRuns(cell);
      const before = cells.get(column);
      cells.set(column, before === undefined ? text : joinLines(before, text));
    }
  }
  return cells;
}

/** The column of a run is the number of gutters at its left. */
function byColumn(runs: readonly TextRun[], gutters: readonly Gutter[]): Map<number, TextRun[]> {
  const columns = new Map<number, TextRun[]>();
  for (const run of runs) {
    const column = gutters.filter((gutter) => !isLeftOf(run, gutter)).length;
    const cell = columns.get(column);
    if (cell) cell.push(run);
    else columns.set(column, [run]);
  }
  return columns;
}
