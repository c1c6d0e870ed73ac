import { readFile } from 'node:fs/promises';
import { type WebCaller } from '../web-caller.js';
import type { Failing } from '../speech-fakes/vendor-fake.js';
import { until } from '../until.js';

/** Silence after which a speaker has finished. A slow model pauses for less. */
const FINISHED_MS = 1_500;
/** The longest allowed silence; a longer one ends the test. */
const NOTHING_MS = 30_000;

/** A row of `docs/reference/provider-faults.md`. */
export interface FaultRow<Part extends string> {
  readonly part: Part;
  readonly words: string;
  readonly failing: Failing;
  readonly goesOn: boolean;
  readonly silenceMs: number;
}

/**
 * The rows of some parts.
 *
 * @param faults the words that a row's fault begins with
 */
export async function readFaultRows<Part extends string>(
  parts: readonly Part[],
  faults: readonly (readonly [words: string, failing: Failing])[],
): Promise<readonly FaultRow<Part>[]> {
  const lines = (await readFile('docs/reference/provider-faults.md', 'utf8')).split('\n');
  return lines.flatMap((line) => {
    const [part, words = '', , call, silence = ''] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const known = parts.find((name) => name === part);
    if (!known) return [];
    const fault = faults.find(([name]) => words.startsWith(name));
    if (!fault) throw new Error(`no such fault: ${words}`);
    const silenceMs = Number.parseInt(silence, 10) * 1_000;
    return [{ part: known, words, failing: fault[1], goesOn: call === 'continues', silenceMs }];
  });
}

/**
 * Waits until the other side has spoken and finished, or hung up.
 *
 * @param isWaiting whether what was said last is only a request for patience
 */
export async function answerTo(caller: WebCaller, isWaiting: () => boolean): Promise<void> {
  const before = caller.soundMs;
  await until(() => {
    const isAnswered = caller.soundMs > before && caller.silenceMs > FINISHED_MS && !isWaiting();
    return caller.closeCode !== null || isAnswered || caller.silenceMs > NOTHING_MS;
  }, 120_000);
}

/** Does one thing after another in each of some lanes, and keeps what became of each. */
export function inLanes<Item, Outcome>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Outcome>,
): Map<Item, Promise<Outcome>> {
  const ends = Array.from({ length: lanes }, () => Promise.resolve<unknown>(null));
  const outcomes = new Map<Item, Promise<Outcome>>();
  for (const [index, item] of items.entries()) {
    const outcome = ends[index % lanes]!.then(() => work(item));
    ends[index % lanes] = outcome.catch(() => null);
    outcomes.set(item, outcome);
  }
  return outcomes;
}
