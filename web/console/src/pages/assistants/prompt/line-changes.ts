/** A line of the difference of two texts. */
export interface LineChange {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Longer texts are shown as wholly removed and added: comparing them takes as much memory as both lengths multiplied. */
const MAX_CELLS = 1_000_000;

/** Which lines a text has gained and lost since an earlier one, by their longest common subsequence. */
export function lineChanges(before: string, after: string): readonly LineChange[] {
  const old = before.split('\n');
  const now = after.split('\n');
  const change = (kind: LineChange['kind']) => (text: string) => ({ kind, text });
  if (old.length * now.length > MAX_CELLS)
    return [...old.map(change('removed')), ...now.map(change('added'))];
  const common = commonLengths(old, now);
  const changes: LineChange[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      changes.push({ kind: 'same', text: now[j++] ?? '' });
      i++;
    } else if (at(common, i + 1, j) >= at(common, i, j + 1)) {
      changes.push({ kind: 'removed', text: old[i++] ?? '' });
    } else {
      changes.push({ kind: 'added', text: now[j++] ?? '' });
    }
  }
  return [...changes, ...old.slice(i).map(change('removed')), ...now.slice(j).map(change('added'))];
}

/** Of the lines from each place on. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => Array<number>(now.length + 1).fill(0));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (!row) continue;
      row[j] =
        old[i] === now[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly (readonly number[])[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}
