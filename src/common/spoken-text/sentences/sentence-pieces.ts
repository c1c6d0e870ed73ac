import { CharacterJoiner } from '../character-joiner.js';
import {
  isSayable,
  separatesPhrasesBySpaces,
  spokenLength,
  unspacedBoundary,
  wholeCharacters,
} from '../scripts.js';
import { type SentenceEnd, SentenceEnds } from './sentence-ends.js';

/** Shorter sentences are said together with the next one: a voice knows too little of their melody. */
const MIN_LENGTH = 20;
/** Text without an end of a sentence is cut behind a comma, or between words. */
const MAX_LENGTH = 400;
/** Addresses are longer than words. */
const MAX_WORD = 2_000;
/** How much text behind a place decides on it: see `SentenceEnds`. */
const LOOKAHEAD = 32;
/** Where only spaces separate phrases, one of so many letters is a piece. */
const MIN_PHRASE = 40;

/** Marks that may end a sentence with what closes behind them, a line, or a phrase of a script without such marks. */
const CANDIDATE =
  /[\p{Sentence_Terminal}…]+(?:["'”’»)\]」』】）》〉]| »(?=[\s,;:]|$))*|\n|[\p{Script=Thai}\p{Script=Lao}]\p{M}*(?= )/gu;
const CLAUSE_END = /[,;:–—](?= )|[、，；：]/g;

/**
 * Divides plain text into the pieces that a voice is asked for one by one: sentences, as soon as each is complete. How the
 * text is divided into chunks makes no difference. Joined, the pieces are the text, with one space for white space.
 */
export class SentencePieces {
  private readonly ends: SentenceEnds;
  private text = '';
  /** White space whose next word has not come. */
  private gap: '' | ' ' | '\n' = '';
  private readonly characters = new CharacterJoiner();
  private isFirst = true;
  /** Where the next candidate is looked for. */
  private scannedTo = 0;
  /** How much of the text was measured, and its length in speech. */
  private measuredTo = 0;
  private measuredLength = 0;

  /** @param language tag such as `pt-BR` */
  constructor(language: string) {
    this.ends = new SentenceEnds(language);
  }

  /** @returns the pieces that are complete now; all but the first of a text begin with the white space before them */
  push(text: string): string[] {
    for (const [part] of this.characters.join(text).matchAll(/\s+|\S+/g)) {
      if (part.trim() !== '') this.add(part);
      else if (this.gap !== '\n') this.gap = part.includes('\n') ? '\n' : ' ';
    }
    return this.cut(false);
  }

  /** The rest. A new text may follow. */
  end(): string[] {
    this.text += this.characters.end();
    const pieces = [...this.cut(true), ...pieceOf(this.text)];
    this.text = this.gap = '';
    this.isFirst = true;
    this.restart();
    return pieces;
  }

  private add(word: string): void {
    if (this.text !== '' || !this.isFirst) this.text += this.gap;
    this.gap = '';
    this.text += word;
  }

  private cut(isComplete: boolean): string[] {
    const pieces: string[] = [];
    for (let end = this.nextEnd(isComplete); end !== null; end = this.nextEnd(isComplete)) {
      pieces.push(...pieceOf(this.text.slice(0, end)));
      this.text = this.text.slice(end);
      this.isFirst = false;
      this.restart();
    }
    return pieces;
  }

  private restart(): void {
    this.scannedTo = this.measuredTo = this.measuredLength = 0;
  }

  /** Where the next piece ends; null: not known yet. */
  private nextEnd(isComplete: boolean): number | null {
    const limit = this.findLimit();
    const window = limit === null ? this.text : this.text.slice(0, limit + LOOKAHEAD);
    for (;;) {
      CANDIDATE.lastIndex = this.scannedTo;
      const found = CANDIDATE.exec(window);
      const [marks = ''] = found ?? [];
      const end = (found?.index ?? 0) + (marks === '\n' ? 0 : marks.length);
      if (!found || (limit !== null && end > limit)) {
        const isDue = limit !== null && (isComplete || this.text.length >= limit + LOOKAHEAD);
        return isDue ? this.forcedEnd(limit) : null;
      }
      const verdict = this.verdictAt(marks, end, isComplete);
      if (verdict === 'undecided') return null;
      if (verdict === 'yes') return end;
      this.scannedTo = found.index + marks.length;
    }
  }

  private verdictAt(marks: string, end: number, isComplete: boolean): SentenceEnd {
    // More marks may follow.
    if (end === this.text.length) return isComplete ? 'no' : 'undecided';
    const isLong = end >= MIN_LENGTH || spokenLength(this.text.slice(0, end)) >= MIN_LENGTH;
    if (!isLong) return 'no';
    if (marks === '\n') return 'yes';
    if (separatesPhrasesBySpaces(marks)) return end >= MIN_PHRASE ? 'yes' : 'no';
    return this.ends.at(this.text, end, isComplete);
  }

  /** Where the text becomes longer than a piece may be; null: it is not. */
  private findLimit(): number | null {
    while (this.measuredTo < this.text.length) {
      const length = spokenLength(this.text.charAt(this.measuredTo));
      if (this.measuredLength + length > MAX_LENGTH) return wholeCharacters(this.text, this.measuredTo);
      this.measuredLength += length;
      this.measuredTo++;
    }
    return null;
  }

  /** Behind a comma, in front of a space, or within a text without either. */
  private forcedEnd(limit: number): number | null {
    const text = this.text.slice(0, limit);
    const clauses = [...text.matchAll(CLAUSE_END)].map(({ index, 0: mark }) => index + mark.length);
    const clause = clauses.at(-1) ?? 0;
    if (clause > limit / 2) return clause;
    const space = text.search(/\s\S*$/);
    if (space > 0) return space;
    if (unspacedBoundary(this.text.slice(limit - 1, limit + 1)) !== -1) return limit;
    const next = this.text.slice(0, MAX_WORD).search(/\S\s/);
    if (next !== -1) return next + 1;
    return this.text.length > MAX_WORD ? wholeCharacters(this.text, MAX_WORD) : null;
  }
}

/** Without what no voice can say, such as a lone ellipsis. */
function pieceOf(text: string): string[] {
  return isSayable(text) ? [text.replaceAll('\n', ' ')] : [];
}
