import { spokenInline, type SpokenInline } from './inline-markdown.js';

/** A word in which inline markup may open, and one in which it may close. */
const MAY_OPEN = /[*_~`[<&\\]/;
const MAY_CLOSE = /[^\s*_~][*_~]|[`\])>]/;
/** Open markup is parsed anew with each of the first words, and then each time it has grown by a quarter: linear time. */
const EAGER_CHECKS = 6;
const GROWTH = 1.25;
/** Markup around a longer word is none, unless the word is the address of a link; nor is a heap of brackets. */
const MAX_MARKED_WORD = 200;
const MAX_BRACKETS = 40;

/** Keeps words back while inline markup is open in them, within limits. */
export class OpenMarkup {
  private held = '';
  private isChanged = false;
  private checks = 0;
  private nextCheckAt = 0;
  private maxHeld = 0;
  private isStrong = false;

  get isEmpty(): boolean {
    return this.held === '';
  }

  /** @returns what can be spoken now; null: nothing yet */
  add(word: string): string | null {
    if (this.isEmpty && !MAY_OPEN.test(word)) return word;
    if (isNoMarkup(word)) return this.release() + word;
    this.isChanged ||= this.isEmpty || MAY_CLOSE.test(word);
    this.held += word;
    const isDue = this.isChanged && (this.checks < EAGER_CHECKS || this.held.length >= this.nextCheckAt);
    return isDue || this.held.length > this.maxHeld ? this.check() : null;
  }

  addGap(gap: ' ' | '\n'): void {
    this.held += gap;
  }

  /** What is kept back, with the markup that is open in it as text. */
  release(): string {
    return this.isEmpty ? '' : this.accept(spokenInline(this.held, this.isStrong));
  }

  /** Emphasis ends with its paragraph. */
  endBlock(): void {
    this.isStrong = false;
  }

  private check(): string | null {
    const read = spokenInline(this.held, this.isStrong);
    if (read.maxHeld === null || this.held.length > read.maxHeld) return this.accept(read);
    this.isChanged = false;
    this.checks++;
    this.nextCheckAt = this.held.length * GROWTH;
    this.maxHeld = read.maxHeld;
    return null;
  }

  private accept({ text, isStrong }: SpokenInline): string {
    this.isStrong = isStrong;
    this.held = '';
    this.isChanged = false;
    this.checks = 0;
    return text;
  }
}

function isNoMarkup(word: string): boolean {
  if (word.length <= MAX_MARKED_WORD) return false;
  return !word.includes('](') || word.split('[').length > MAX_BRACKETS;
}
