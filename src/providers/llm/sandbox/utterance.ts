import { isStopWord, wordsOf, type Word } from './words.js';

/** Stands where text was taken, so that places stay and nothing is read across the gap. */
const TAKEN = '\n';

/** Ends a phrase: punctuation, a gap, or a word that begins the next thought. */
const PHRASE_END =
  /[,;!?\n]|\.(?=\s|$)|\s(?:e|and|mas|but|com|with|para|por favor|please|obrigad[oa]|thanks|thank you)(?=[\s,.!?]|$)/iu;
const SENTENCE_END = /[;!?\n]|\.(?=\s|$)/u;
const MAX_PHRASE_CHARS = 200;

/** A piece of what was said, and what is left to read once it is taken. */
export interface Taken<T = string> {
  readonly value: T;
  /** Where the value began. */
  readonly at: number;
  readonly rest: string;
}

export function take<T>(rest: string, start: number, end: number, value: T): Taken<T> {
  return { value, at: start, rest: rest.slice(0, start) + TAKEN.repeat(end - start) + rest.slice(end) };
}

export function takeMatch(rest: string, pattern: RegExp): Taken | null {
  const match = pattern.exec(rest);
  return match === null ? null : take(rest, match.index, match.index + match[0].length, match[0]);
}

/** The first quoted text, without its quotes. */
export function takeQuoted(rest: string): Taken | null {
  const match = /"([^"\n]+)"|“([^”\n]+)”|«([^»\n]+)»|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/u.exec(
    rest,
  );
  const value = match?.slice(1).find((group) => group !== undefined);
  if (match === null || value === undefined) return null;
  return take(rest, match.index, match.index + match[0].length, value.trim());
}

/**
 * The phrase after a label such as "nome": up to the end of the phrase, or of the sentence when a
 * colon announces it.
 * @param isOtherLabel tells the words at which another value begins
 */
export function takeLabelled(
  rest: string,
  isLabel: (folded: string) => boolean,
  isOtherLabel: (folded: string) => boolean,
): Taken | null {
  const words = wordsOf(rest);
  for (const [index, label] of words.entries()) {
    if (!isLabel(label.folded)) continue;
    const first = firstValueWord(rest, words.slice(index), isLabel);
    if (first === undefined || isOtherLabel(first.folded)) continue;
    const announced = /[:=]/.test(rest.slice(label.end, first.start));
    const next = words.find((word) => word.start > first.start && isOtherLabel(word.folded));
    const phrase = rest.slice(
      first.start,
      Math.min(next?.start ?? rest.length, first.start + MAX_PHRASE_CHARS),
    );
    const end = phrase.search(announced ? SENTENCE_END : PHRASE_END);
    const value = trimEdges(end < 0 ? phrase : phrase.slice(0, end));
    if (value !== '')
      return { ...take(rest, label.start, first.start + value.length, value), at: first.start };
  }
  return null;
}

/** Runs of words left between the given ones, gaps and punctuation, without stop words at their ends. */
export function remainingRuns(rest: string, isSeparator: (folded: string) => boolean): Taken[] {
  const runs: Word[][] = [[]];
  let previousEnd = 0;
  for (const word of wordsOf(rest)) {
    if (/[,;:!?\n]|\.\s/.test(rest.slice(previousEnd, word.start))) runs.push([]);
    if (isSeparator(word.folded)) runs.push([]);
    else runs.at(-1)?.push(word);
    previousEnd = word.end;
  }
  return runs.flatMap((run) => {
    const start = run.find((word) => !isFiller(rest, word))?.start;
    const end = run.findLast((word) => !isFiller(rest, word))?.end;
    return start === undefined || end === undefined ? [] : [take(rest, start, end, rest.slice(start, end))];
  });
}

function firstValueWord(
  rest: string,
  fromLabel: Word[],
  isLabel: (folded: string) => boolean,
): Word | undefined {
  const [label, ...following] = fromLabel;
  const first = following.find((word) => !isLabel(word.folded) && !isFiller(rest, word));
  // Only the next words count: a gap or the end of a sentence lies between other values.
  return first !== undefined && label !== undefined && !SENTENCE_END.test(rest.slice(label.end, first.start))
    ? first
    : undefined;
}

/** Stop words say nothing at the edge of a value, save in a name ("em São Paulo") or a code ("A-99"). */
function isFiller(text: string, word: Word): boolean {
  if (!isStopWord(word.folded) || /^[-./]\p{N}/u.test(text.slice(word.end, word.end + 2))) return false;
  const written = text.slice(word.start, word.end);
  const isCapitalized = /^\p{Lu}/u.test(written) && /[\p{L}\p{N},]\s*$/u.test(text.slice(0, word.start));
  return !isCapitalized && written !== 'São';
}

/** Cuts spaces, punctuation and trailing stop words ("amanhã de" → "amanhã"). */
function trimEdges(phrase: string): string {
  const last = wordsOf(phrase).findLast((word) => !isStopWord(word.folded));
  return last === undefined ? '' : phrase.slice(0, last.end);
}
