/**
 * Phrases that recordings, menus and people say, as patterns of whole words. Text is compared in lower case, without accents,
 * apostrophes and punctuation. A pattern is a list of parts with a blank between them:
 *
 * | Part         | Matches                                                                          |
 * | ------------ | -------------------------------------------------------------------------------- |
 * | `word`       | this word                                                                        |
 * | `word*`      | a word that begins so                                                            |
 * | `#`          | a number in digits                                                               |
 * | `one\|two`   | any of these                                                                     |
 * | `one\|two?`  | any of these, or no word                                                         |
 * | `..`, `...`  | up to three words, up to ten words                                               |
 * | `...!a\|b`   | up to ten words, none of which is one of these                                   |
 * | `!a\|b`      | no word: the next word is none of these; first in a pattern, the word before it  |
 */
export class Phrase {
  private readonly parts: readonly Part[];

  constructor(pattern: string) {
    this.parts = pattern.split(' ').map(partOf);
  }

  /** @param words as `wordsOf` returns them */
  isIn(words: readonly string[]): boolean {
    return words.some((_word, index) => this.matches(words, index, 0));
  }

  private matches(words: readonly string[], at: number, index: number): boolean {
    const part = this.parts[index];
    if (!part) return true;
    if (part.kind === 'not') {
      const word = words[index === 0 ? at - 1 : at];
      return !(word !== undefined && part.accepts(word)) && this.matches(words, at, index + 1);
    }
    for (let taken = 0; taken <= part.most; taken++) {
      if (taken >= part.least && this.matches(words, at + taken, index + 1)) return true;
      const word = words[at + taken];
      if (word === undefined || !part.accepts(word)) return false;
    }
    return false;
  }
}

interface Part {
  readonly kind: 'words' | 'not';
  readonly least: number;
  readonly most: number;
  accepts(word: string): boolean;
}

const GAPS = { '..': 3, '...': 10 };

function partOf(part: string): Part {
  const [gap, excluded = ''] = part.split('!', 2);
  if (gap === '') return { kind: 'not', least: 0, most: 0, accepts: acceptanceOf(excluded) };
  if (gap === '..' || gap === '...') {
    const isExcluded = acceptanceOf(excluded);
    return { kind: 'words', least: 0, most: GAPS[gap], accepts: (word) => !isExcluded(word) };
  }
  const isOptional = part.endsWith('?');
  const accepts = acceptanceOf(isOptional ? part.slice(0, -1) : part);
  return { kind: 'words', least: isOptional ? 0 : 1, most: 1, accepts };
}

function acceptanceOf(alternatives: string): (word: string) => boolean {
  const names = alternatives.split('|').filter((name) => name !== '');
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const takesNumbers = exact.has('#');
  return (word) =>
    exact.has(word) ||
    (takesNumbers && /^\d+$/.test(word)) ||
    beginnings.some((beginning) => word.startsWith(beginning));
}

/** The words of a text as phrases are compared with. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’`´]/g, '')
    .replace(/ß/g, 'ss')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
