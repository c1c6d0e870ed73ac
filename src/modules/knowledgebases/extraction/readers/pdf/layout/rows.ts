import { endOf, type TextRun } from './text-run.js';

/** Runs of one baseline, sorted by their start. */
export interface Row {
  readonly runs: readonly TextRun[];
  readonly y: number;
  /** Of its largest letters. */
  readonly height: number;
}

/** Letters reach this part of their height below and above the baseline. */
const DESCENT = 0.2;
const ASCENT = 0.8;
const MIN_OVERLAP = 0.5;
/** Smaller runs than this part of a row's height belong to it only if they share its baseline or touch it. */
const MIN_HEIGHT_RATIO = 0.45;
const MAX_MARK_LENGTH = 4;
/** Runs below this part of a row's height are printed over a watermark. */
const MIN_MARK_RATIO = 0.2;
/** As a part of the smaller run's height. */
const SAME_BASELINE = 0.3;
/** A run is compared with so many rows above it. */
const OPEN_ROWS = 3;

interface OpenRow {
  readonly runs: TextRun[];
  /** The largest run, whose baseline is that of the row. */
  anchor: TextRun;
}

/** Groups runs by their baselines, the highest row first. */
export function rowsOf(runs: readonly TextRun[]): Row[] {
  const rows: OpenRow[] = [];
  for (const run of runs.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.slice(-OPEN_ROWS).findLast((open) => isOnRow(open, run));
    if (!row) {
      rows.push({ runs: [run], anchor: run });
      continue;
    }
    row.runs.push(run);
    if (run.height > row.anchor.height) row.anchor = run;
  }
  return rows
    .map(({ runs: unsorted, anchor }) => ({
      runs: unsorted.toSorted((a, b) => a.x - b.x),
      y: anchor.y,
      height: anchor.height,
    }))
    .toSorted((a, b) => b.y - a.y);
}

function isOnRow({ runs, anchor }: OpenRow, run: TextRun): boolean {
  const [small, large] = run.height < anchor.height ? [run, anchor] : [anchor, run];
  if (small.height < large.height * MIN_MARK_RATIO) return false;
  if (Math.abs(small.y - large.y) <= small.height * SAME_BASELINE) return true;
  if (overlapOf(small, large) < MIN_OVERLAP) return false;
  if (small.height >= large.height * MIN_HEIGHT_RATIO) return true;
  // A raised mark such as the cents of a price; next to a dropped initial there are whole lines.
  return runs.some((other) => small.text.length <= MAX_MARK_LENGTH && isNear(other, run, large.height));
}

/** The part of the smaller run's height that both have. */
function overlapOf(small: TextRun, large: TextRun): number {
  const top = Math.min(small.y + small.height * ASCENT, large.y + large.height * ASCENT);
  const bottom = Math.max(small.y - small.height * DESCENT, large.y - large.height * DESCENT);
  return small.height === 0 ? 0 : (top - bottom) / small.height;
}

function isNear(first: TextRun, second: TextRun, height: number): boolean {
  return Math.max(first.x, second.x) - Math.min(endOf(first), endOf(second)) < height * 0.3;
}
