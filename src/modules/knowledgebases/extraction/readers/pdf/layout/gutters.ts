import type { Row } from './rows.js';
import { endOf, type TextRun } from './text-run.js';

/** A vertical strip without text, between text at its left and its right. */
export interface Gutter {
  readonly left: number;
  readonly right: number;
  /** Rows along which it reaches, both included. */
  readonly first: number;
  readonly last: number;
  /** How many of these rows have text at both sides, and at each. */
  readonly bothSides: number;
  readonly leftOnly: number;
  readonly rightOnly: number;
}

interface Interval {
  readonly left: number;
  readonly right: number;
}

interface OpenGutter {
  readonly left: number;
  readonly right: number;
  readonly first: number;
  readonly bothSides: number;
  readonly leftOnly: number;
  readonly rightOnly: number;
}

/** Strips narrower than this many letter heights are spaces between words. */
const MIN_WIDTH = 0.8;
/** Strips that are followed at a time; a page of scattered words has many. */
const MAX_OPEN = 60;

/** Strips without text of at least two rows, the longest first. */
export function guttersOf(rows: readonly Row[], letterHeight: number): Gutter[] {
  if (isOneColumn(rows)) return [];
  const minWidth = letterHeight * MIN_WIDTH;
  const found: Gutter[] = [];
  let open: OpenGutter[] = [];
  rows.forEach((row, index) => {
    const free = freeIntervals(row, minWidth);
    const going: OpenGutter[] = [];
    for (const gutter of open) {
      const narrowed = free
        .map((interval) => intersection(gutter, interval))
        .filter(({ left, right }) => right - left >= minWidth);
      if (narrowed.length === 0) found.push(closed(gutter, index - 1));
      for (const interval of narrowed) going.push({ ...gutter, ...interval });
    }
    const begun = free.map((interval) => ({
      ...interval,
      first: index,
      bothSides: 0,
      leftOnly: 0,
      rightOnly: 0,
    }));
    open = withoutContained([...going, ...begun]).map((gutter) => counted(gutter, row));
  });
  found.push(...open.map((gutter) => closed(gutter, rows.length - 1)));
  return found.filter(isBetweenText).toSorted((a, b) => b.last - b.first - (a.last - a.first));
}

/** Most pages: each row is one run, and all of them share a place. */
function isOneColumn(rows: readonly Row[]): boolean {
  let start = -Infinity;
  let end = Infinity;
  for (const { runs } of rows) {
    const [only, other] = runs;
    if (!only || other) return false;
    start = Math.max(start, only.x);
    end = Math.min(end, endOf(only));
  }
  return start <= end;
}

function isBetweenText({ bothSides, leftOnly, rightOnly }: Gutter): boolean {
  return bothSides >= 2 || (bothSides + leftOnly >= 3 && bothSides + rightOnly >= 3);
}

function closed(gutter: OpenGutter, last: number): Gutter {
  return { ...gutter, last };
}

function freeIntervals({ runs }: Row, minWidth: number): Interval[] {
  const free: Interval[] = [];
  let end = -Infinity;
  for (const run of runs) {
    if (run.x - end >= minWidth) free.push({ left: end, right: run.x });
    end = Math.max(end, endOf(run));
  }
  return [...free, { left: end, right: Infinity }];
}

function intersection(first: Interval, second: Interval): Interval {
  return { left: Math.max(first.left, second.left), right: Math.min(first.right, second.right) };
}

/** A strip within a wider one that began no later adds nothing. */
function withoutContained(gutters: readonly OpenGutter[]): OpenGutter[] {
  const kept: OpenGutter[] = [];
  for (const gutter of gutters) {
    const isContained = kept.some(({ left, right }) => left <= gutter.left && right >= gutter.right);
    if (!isContained && kept.length < MAX_OPEN) kept.push(gutter);
  }
  return kept;
}

function counted(gutter: OpenGutter, { runs }: Row): OpenGutter {
  const hasLeft = runs.some((run) => isLeftOf(run, gutter));
  const hasRight = runs.some((run) => !isLeftOf(run, gutter));
  return {
    ...gutter,
    bothSides: gutter.bothSides + Number(hasLeft && hasRight),
    leftOnly: gutter.leftOnly + Number(hasLeft && !hasRight),
    rightOnly: gutter.rightOnly + Number(!hasLeft && hasRight),
  };
}

/** Whether a row has text on both sides. */
export function hasBothSides({ runs }: Row, interval: Interval): boolean {
  const left = runs.filter((run) => isLeftOf(run, interval)).length;
  return left > 0 && left < runs.length;
}

export function isLeftOf(run: TextRun, { left, right }: Interval): boolean {
  const middle = run.x + run.width / 2;
  return left === -Infinity ? false : right === Infinity || middle < (left + right) / 2;
}
