import { CodeSpans } from './code-spans.js';

/** The text of an answer that is shown, or kept back until it is known to be no thought. */
export class ShownText {
  readonly code = new CodeSpans();
  private fresh = '';
  private held = '';
  private hasShown = false;
  private hasLineText = false;
  private isAfterSpace = true;
  private skipsSpace = false;
  private retracted = false;

  constructor(private isKeptBack: boolean) {}

  get isHolding(): boolean {
    return this.isKeptBack;
  }

  get isLineStart(): boolean {
    return !this.hasLineText;
  }

  get endsWithSpace(): boolean {
    return this.isAfterSpace;
  }

  /** Whether the next text may be added without a look at it. */
  get isPlain(): boolean {
    return !this.skipsSpace && !this.code.isCode;
  }

  get hasHeldWords(): boolean {
    return this.isKeptBack && (this.held.trim() !== '' || this.fresh.trim() !== '');
  }

  add(text: string): void {
    const words = this.skipsSpace && this.isAfterSpace ? text.trimStart() : text;
    if (words === '') return;
    this.skipsSpace = false;
    this.fresh += words;
    const lineAt = words.lastIndexOf('\n') + 1;
    this.hasLineText = words.slice(lineAt).trim() !== '' || (this.hasLineText && lineAt === 0);
    this.isAfterSpace = words.trimEnd().length < words.length;
  }

  /** Something was taken out here: space before it and behind it is one. */
  closeGap(): void {
    this.skipsSpace = true;
  }

  /** All text so far was no answer. */
  forget(): void {
    this.retracted ||= this.hasShown;
    [this.fresh, this.held, this.hasShown, this.hasLineText, this.isAfterSpace] = [
      '',
      '',
      false,
      false,
      true,
    ];
    this.code.reset();
    this.release();
    this.closeGap();
  }

  /** What was kept back is an answer. */
  release(): void {
    this.isKeptBack = false;
    this.fresh = this.held + this.fresh;
    this.held = '';
  }

  /** Whether text that was taken before was no answer; true once. */
  takeRetraction(): boolean {
    const { retracted } = this;
    this.retracted = false;
    return retracted;
  }

  /** What may be shown now. */
  take(): string {
    const { fresh } = this;
    this.fresh = '';
    if (this.isKeptBack) {
      this.held += fresh;
      return '';
    }
    if (fresh !== '') this.hasShown = true;
    return fresh;
  }
}
