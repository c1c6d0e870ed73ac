import type { FillingContext } from './filler.js';
import type { ToolParameter } from './tool-parameter.js';
import type { Taken } from './utterance.js';
import { includesWord, wordsOf } from './words.js';

const YES = new Set(['sim', 'yes', 'true', 'verdadeiro', 'claro', 'yep', 'yeah']);
const NO = new Set(['nao', 'no', 'false', 'falso', 'nope', 'not', 'sem', 'without', 'nem', 'dont']);
const REACH_WORDS = 2;

/** "urgente", "não é urgente", "urgente: sim"; without such a word, a plain yes or no at the beginning. */
export function fillBoolean(
  parameter: ToolParameter,
  rest: string,
  context: FillingContext,
): Taken<boolean> | null {
  if (parameter.type !== 'boolean') return null;
  const words = wordsOf(rest).map((word) => word.folded);
  const labels = parameter.hints.filter(
    (hint) => includesWord(parameter.nameWords, hint) || !includesWord(context.toolWords, hint),
  );
  const at = words.findIndex((word) => includesWord(labels, word));
  const value = at < 0 ? plainAnswer(words[0]) : mentioned(words, at);
  return value === null ? null : { value, at: 0, rest };
}

function mentioned(words: readonly string[], at: number): boolean {
  const before = words.slice(Math.max(0, at - REACH_WORDS), at);
  const after = words.slice(at + 1, at + 1 + REACH_WORDS);
  const answer = after.map(plainAnswer).find((value) => value !== null);
  return answer ?? !before.some((word) => NO.has(word));
}

function plainAnswer(word: string | undefined): boolean | null {
  if (word === undefined) return null;
  if (YES.has(word)) return true;
  return NO.has(word) ? false : null;
}
