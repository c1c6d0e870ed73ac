import { CharacterJoiner } from '../character-joiner.js';
import { unspacedBoundary, wholeCharacters } from '../scripts.js';

/** What is longer than this without a space is read in parts. */
export const MAX_WORD = 1_000;
/** Of lines that are needed as a whole. */
const MAX_LINE = 2_000;

/** Text that has come and was not read. Its answers are null where they depend on what is still to come. */
export class UnreadText {
  private text = '';
  private readonly characters = new CharacterJoiner();
  private isComplete = false;

  push(text: string): void {
    this.text += this.characters.join(text);
  }

  complete(): void {
    this.text += this.characters.end();
    this.isComplete = true;
  }

  get isEmpty(): boolean {
    return this.text === '';
  }

  get first(): string {
    return this.text.charAt(0);
  }

  /** As much as is needed to see how a line or a word begins. */
  get beginning(): string {
    return this.text.slice(0, MAX_WORD + 1);
  }

  /** Whether so many characters are there, or no more will come. */
  has(length: number): boolean {
    return this.isComplete || this.text.length >= length;
  }

  skip(length: number): void {
    this.text = this.text.slice(length);
  }

  /** Puts text in front of what is unread. */
  unread(text: string): void {
    this.text = text + this.text;
  }

  /** @returns whether there were any */
  skipSpaces(): boolean {
    const length = this.text.search(/[^ \t\r\f\v\u00A0]/);
    if (length === 0) return false;
    this.text = length === -1 ? '' : this.text.slice(length);
    return true;
  }

  /** The length of the word that begins at `from`; 0 at the end of a line. Scripts without spaces have words of one character. */
  wordLength(from = 0): number | null {
    const first = unspacedBoundary(this.text.slice(from, from + 3));
    if (first === 1) return first;
    const window = this.text.slice(from, from + MAX_WORD + 1);
    const space = window.search(/\s/);
    const run = space === -1 ? window : window.slice(0, space);
    const boundary = unspacedBoundary(run);
    if (boundary !== -1) return boundary;
    if (space !== -1) return space;
    if (window.length > MAX_WORD) return wholeCharacters(window, MAX_WORD);
    return this.isComplete ? window.length : null;
  }

  /** Whether nothing but spaces follows on the line behind `from`. */
  endsLine(from: number): boolean | null {
    const rest = this.text.slice(from, from + MAX_WORD);
    const next = rest.search(/[^ \t\r]/);
    if (next !== -1) return rest.charAt(next) === '\n';
    return this.isComplete || rest.length === MAX_WORD ? true : null;
  }

  /** A line without its end; a part of it where it is longer than MAX_LINE. @param from where it begins */
  line(from = 0): string | null {
    const window = this.text.slice(from, from + MAX_LINE + 1);
    const end = window.indexOf('\n');
    if (end !== -1) return window.slice(0, end);
    if (window.length > MAX_LINE) return window.slice(0, wholeCharacters(window, MAX_LINE));
    return this.isComplete ? window : null;
  }

  /** Leaves out the line that was read, with its end. */
  skipLine(line: string): void {
    this.skip(line.length + (this.text.charAt(line.length) === '\n' ? 1 : 0));
  }
}
