import { rmsOf } from '@prosa/audio';

export const RATE = 8_000;
const WINDOW_MS = 10;
const WINDOW = (RATE * WINDOW_MS) / 1000;
/** Of the sound behind the words; less is no sound. */
const SILENT_SHARE = 1 / 8;

/** A stretch without any sound. */
export interface Gap {
  readonly atMs: number;
  readonly lengthMs: number;
}

/**
 * Where a side with a sound behind the words has none at all.
 *
 * @param samples at {@link RATE}, of a side that is never quiet between its first and its last sound
 * @param longerThanMs shorter gaps are left out
 */
export function gapsIn(samples: Int16Array, longerThanMs: number): Gap[] {
  const levels: number[] = [];
  for (let at = 0; at + WINDOW <= samples.length; at += WINDOW) {
    levels.push(rmsOf(samples.subarray(at, at + WINDOW)));
  }
  const heard = levels.filter((level) => level > 0).toSorted((one, other) => one - other);
  // Words are louder than what is behind them, so that is what the quieter part of the windows holds.
  const floor = (heard[Math.floor(heard.length / 4)] ?? 0) * SILENT_SHARE;
  const isSound = (level: number) => level > floor;
  const [first, last] = [levels.findIndex(isSound), levels.findLastIndex(isSound)];
  const gaps: Gap[] = [];
  let silentSince: number | null = null;
  for (let index = first; index >= 0 && index <= last; index++) {
    if (!isSound(levels[index] ?? 0)) silentSince ??= index;
    else if (silentSince !== null) {
      const lengthMs = (index - silentSince) * WINDOW_MS;
      if (lengthMs > longerThanMs) gaps.push({ atMs: silentSince * WINDOW_MS, lengthMs });
      silentSince = null;
    }
  }
  return gaps;
}
