import { isContinuousScript } from '../../../continuous-script.js';
import { foldAccents } from '#src/modules/knowledgebases/retrieval/searchable-text.js';
import { isHyphenatedPair } from './hyphenated-words.js';

const SOFT_HYPHEN = '\u00AD';
const WORD = /[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu;
const LAST_WORD = /[\p{L}\p{M}-]{1,40}$/u;
const FIRST_WORD = /^[\p{L}\p{M}]+/u;

/** The words of a document as it has them within its lines, folded; they say how a word parted at a line's end is written. */
export class KnownWords {
  private readonly words = new Set<string>();

  add(line: string): void {
    const whole = foldAccents(line.replaceAll('\u2010', '-')).match(WORD) ?? [];
    // What is behind the last word is a hyphen if its other part is on the next line.
    const isParted = line.endsWith('-') || line.endsWith('\u2010') || line.endsWith(SOFT_HYPHEN);
    for (const word of isParted ? whole.slice(0, -1) : whole) this.words.add(word);
  }

  has(word: string): boolean {
    return this.words.has(foldAccents(word));
  }
}

/** Puts a line behind a text: with a space, or without one where a word is parted, whose hyphen is kept if it has one. */
export function joinLines(text: string, line: string, known?: KnownWords): string {
  if (text === '') return line;
  if (text.endsWith(SOFT_HYPHEN)) return text.slice(0, -1) + line;
  if (/[\p{L}\p{N}][-\u2010]$/u.test(text.slice(-2))) return joinParted(text, line, known);
  const isContinuous = isContinuousScript(text.slice(-1)) && isContinuousScript(line.slice(0, 1));
  return isContinuous ? text + line : `${text} ${line}`;
}

function joinParted(text: string, line: string, known: KnownWords | undefined): string {
  // A code, a number, or a name such as "Rio-\nSão Paulo".
  if (!/^\p{Ll}/u.test(line) || !/\p{L}[-\u2010]$/u.test(text)) {
    return /^[\p{L}\p{N}]/u.test(line) ? text + line : `${text} ${line}`;
  }
  const start = LAST_WORD.exec(text.slice(0, -1))?.[0] ?? '';
  const end = FIRST_WORD.exec(line)?.[0] ?? '';
  return keepsHyphen(start, end, known) ? `${text.slice(0, -1)}-${line}` : text.slice(0, -1) + line;
}

function keepsHyphen(start: string, end: string, known: KnownWords | undefined): boolean {
  if (known?.has(`${start}-${end}`)) return true;
  if (known?.has(start + end)) return false;
  return isHyphenatedPair(start, end);
}
