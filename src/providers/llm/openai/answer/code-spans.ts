/** Follows an answer as it comes, and knows where it is within code of Markdown: marks there are words about marks. */
export class CodeSpans {
  /** Of the span or fence that is open; 0 outside of code. */
  private openTicks = 0;

  get isCode(): boolean {
    return this.openTicks > 0;
  }

  /** @param count backticks that follow one another @param isLineStart whether nothing but space is before them */
  addTicks(count: number, isLineStart: boolean): void {
    if (this.openTicks === 0) this.openTicks = count;
    else if (this.openTicks < 3 ? count === this.openTicks : count >= this.openTicks && isLineStart)
      this.openTicks = 0;
  }

  /** A span ends with its paragraph; a fence continues. */
  endLine(): void {
    if (this.openTicks < 3) this.openTicks = 0;
  }

  reset(): void {
    this.openTicks = 0;
  }
}
