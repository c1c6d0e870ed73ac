/** A run of text on a page, turned so that it is read from left to right along `x`. Sizes are points. */
export interface TextRun {
  readonly text: string;
  /** Start of the run, and its length, along the line. */
  readonly x: number;
  readonly width: number;
  /** Baseline; larger is higher on the page. */
  readonly y: number;
  readonly height: number;
  /** Whether blank characters precede the run on its line. */
  readonly followsSpace: boolean;
}

/** A run as the page has it, the origin at the bottom left. */
export interface PlacedRun extends TextRun {
  /** Angle of the writing, degrees counter-clockwise from the horizontal. */
  readonly angle: number;
}

/** Angles this close to a multiple of 90 degrees are scans that are not quite straight. */
const STRAIGHT_WITHIN_DEGREES = 10;
const ANGLE_STEP_DEGREES = 5;
/** Copies of a run within this part of its height are a false bold or a shadow. */
const COPY_OFFSET = 0.2;

/** Hebrew, Arabic and their neighbours, with their presentation forms. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF]/;

export function endOf({ x, width }: TextRun): number {
  return x + width;
}

export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text);
}

/** Runs of each direction of writing in coordinates of their own; the direction with most text is the first. */
export function groupByDirection(runs: readonly PlacedRun[]): TextRun[][] {
  const groups = new Map<number, PlacedRun[]>();
  for (const run of runs) {
    const angle = roundedAngle(run.angle);
    const group = groups.get(angle);
    if (group) group.push(run);
    else groups.set(angle, [run]);
  }
  const length = (group: readonly TextRun[]) => group.reduce((sum, { text }) => sum + text.length, 0);
  return [...groups]
    .map(([angle, group]) => group.map((run) => turned(run, angle)))
    .toSorted((a, b) => length(b) - length(a));
}

function roundedAngle(angle: number): number {
  const straight = Math.round(angle / 90) * 90;
  const isStraight = Math.abs(angle - straight) <= STRAIGHT_WITHIN_DEGREES;
  const rounded = isStraight ? straight : Math.round(angle / ANGLE_STEP_DEGREES) * ANGLE_STEP_DEGREES;
  return ((rounded % 360) + 360) % 360;
}

function turned(run: PlacedRun, angle: number): TextRun {
  if (angle === 0) return run;
  const radians = (angle * Math.PI) / 180;
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  return { ...run, x: run.x * cos + run.y * sin, y: run.y * cos - run.x * sin };
}

/** Leaves out runs that are printed again at the same place. */
export function withoutCopies(runs: readonly TextRun[]): TextRun[] {
  const seen = new Map<string, TextRun[]>();
  return runs.filter((run) => {
    const { x: column, y: row, size } = cellOf(run);
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        const others = seen.get(keyOf(run.text, size, column + dx, row + dy));
        if (others?.some((other) => isCopy(other, run))) return false;
      }
    }
    const key = keyOf(run.text, size, column, row);
    const cell = seen.get(key);
    if (cell) cell.push(run);
    else seen.set(key, [run]);
    return true;
  });
}

function isCopy(first: TextRun, second: TextRun): boolean {
  const offset = first.height * COPY_OFFSET;
  const halfCharacter = first.width / Math.max(first.text.length, 1) / 2;
  const along = halfCharacter > 0 ? Math.min(offset, halfCharacter) : offset;
  return Math.abs(first.x - second.x) <= along && Math.abs(first.y - second.y) <= offset;
}

function cellOf({ x, y, height }: TextRun): { x: number; y: number; size: number } {
  const size = Math.max(1, Math.round(height));
  return { x: Math.floor(x / size), y: Math.floor(y / size), size };
}

function keyOf(text: string, size: number, column: number, row: number): string {
  return `${size}/${column}/${row}/${text}`;
}
