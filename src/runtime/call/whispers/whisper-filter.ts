/** Words of a whisper in a row that the assistant may not say. */
const MIN_WORDS = 8;
/** Ideographs and letters of scripts without spaces: about two of them are a word. */
const IS_UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]$/u;
const UNSPACED_WORD = 0.5;
/** Spaces, a letter without spaces, or what is between two spaces. */
const PIECES =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const MARKS = /[^\p{L}\p{N}]/gu;
/** So many words, or letters of scripts without spaces, are fewer than a quotation. */
const MAX_SPOKEN = MIN_WORDS / UNSPACED_WORD;
/** A piece without an end is taken for whole there. */
const MAX_PIECE_LENGTH = 200;

interface Word {
  /** As it is compared; empty for spaces, and for a word of marks alone. */
  readonly key: string;
  readonly weight: number;
}

/** A word that may belong to a quotation, with the spaces behind it. */
interface HeldWord extends Word {
  /** Empty where it belonged to a quotation that was removed. */
  text: string;
}

/**
 * Removes quotations of whispers from an answer as it comes: eight or more words of a whisper in a row. Upper case, accents and
 * punctuation do not count. What may be the beginning of a quotation is held back until that is decided.
 */
export class WhisperFilter {
  private readonly whispers: readonly (readonly Word[])[];
  /** The beginning of a piece whose end has not come. */
  private partial = '';
  private held: HeldWord[] = [];
  /** The last words that may be said: a quotation that is removed joins them with what follows. */
  private spoken: Word[] = [];

  constructor(whispers: readonly string[]) {
    this.whispers = whispers
      .map((whisper) => wordsOf(whisper).filter(({ key }) => key !== ''))
      .filter((words) => weightOf(words) >= MIN_WORDS);
  }

  /** @returns what may be said by now */
  push(text: string): string {
    if (this.whispers.length === 0) return text;
    const { whole, rest } = split(this.partial + text);
    this.partial = rest;
    return whole.map((word) => this.add(word)).join('');
  }

  /** The answer is over. @returns what was held back and may be said */
  end(): string {
    const last = this.partial;
    this.partial = '';
    return (last === '' ? '' : this.add(last)) + this.release();
  }

  private add(text: string): string {
    const word = { text, ...wordOf(text) };
    if (word.key === '') return this.addMarks(word);
    if (this.isQuoted([...this.held, word])) {
      this.held.push(word);
      return '';
    }
    if (this.isHeldQuotation()) for (const quoted of this.held) quoted.text = '';
    const candidate = [...this.held, word];
    // The end of what was held may be the beginning of another quotation.
    let from = 1;
    while (from < candidate.length && !this.isQuoted(candidate.slice(from))) from++;
    this.held = candidate.slice(from);
    return this.speak(candidate.slice(0, from));
  }

  /** They belong to the word before. */
  private addMarks({ text }: HeldWord): string {
    const last = this.held.at(-1);
    if (!last) return text;
    last.text += text;
    return '';
  }

  private release(): string {
    const { held } = this;
    const isQuotation = this.isHeldQuotation();
    this.held = [];
    return isQuotation ? '' : this.speak(held);
  }

  private speak(words: readonly HeldWord[]): string {
    const said = words.filter(({ text }) => text !== '');
    this.spoken = [...this.spoken, ...said].slice(-MAX_SPOKEN);
    return said.map(({ text }) => text).join('');
  }

  /** Whether the words that are held, with those that were said before them, are too many of a whisper. */
  private isHeldQuotation(): boolean {
    const { held, spoken } = this;
    if (held.length === 0) return false;
    let from = 0;
    while (from < spoken.length && !this.isQuoted([...spoken.slice(from), ...held])) from++;
    return weightOf([...spoken.slice(from), ...held]) >= MIN_WORDS;
  }

  private isQuoted(words: readonly Word[]): boolean {
    return this.whispers.some((whisper) => {
      for (let at = 0; at + words.length <= whisper.length; at++)
        if (words.every(({ key }, index) => whisper[at + index]?.key === key)) return true;
      return false;
    });
  }
}

/** Whole pieces, and the beginning of one that may go on. */
function split(text: string): { readonly whole: string[]; readonly rest: string } {
  const pieces = text.match(PIECES) ?? [];
  const last = pieces.at(-1) ?? '';
  if (IS_UNSPACED.test(last) || last.length > MAX_PIECE_LENGTH) return { whole: pieces, rest: '' };
  return { whole: pieces.slice(0, -1), rest: last };
}

function wordsOf(text: string): Word[] {
  return (text.match(PIECES) ?? []).map(wordOf);
}

function wordOf(word: string): Word {
  const key = word.normalize('NFKD').replace(MARKS, '').toLowerCase();
  return { key, weight: IS_UNSPACED.test(word) ? UNSPACED_WORD : 1 };
}

function weightOf(words: readonly Word[]): number {
  return words.reduce((sum, { weight }) => sum + weight, 0);
}
