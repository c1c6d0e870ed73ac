import { withoutEmoji } from '../emoji.js';
import { isDense } from '../scripts.js';

const ENDS_WITH_MARK = /[.!?…:;,。！？：；，、।॥۔؟၊။]["'”’»)\]」』）]*$/;
const BEGINS_WITH_MARK = /^[.,;:!?…]/;
/** As much of the end as the mark and what closes behind it. */
const TAIL_LENGTH = 8;

/** Plain text under construction: one space between words, one line feed between lines, a mark at the end of each line. */
export class PlainText {
  private text = '';
  private tail = '';
  private gap: '' | ' ' | '\n' = '';

  /** @param words with what separates them */
  add(words: string): void {
    const plain = withoutEmoji(words);
    const lostEmoji = plain !== words;
    for (const [part] of plain.matchAll(/\n|[^\S\n]+|\S+/g)) {
      if (part === '\n') this.endLine();
      else if (part.trim() === '') this.addSpace();
      else this.addWord(part, lostEmoji);
    }
  }

  addSpace(): void {
    if (this.tail !== '' && this.gap === '') this.gap = ' ';
  }

  /** Voices make a pause at a mark, and none between two lines. */
  endLine(): void {
    if (this.tail === '' || this.gap === '\n') return;
    if (!ENDS_WITH_MARK.test(this.tail)) this.append(isDense(this.tail.slice(-1)) ? '。' : '.');
    this.gap = '\n';
  }

  /** The next words go on in the same sentence. */
  addComma(): void {
    if (this.tail !== '' && !ENDS_WITH_MARK.test(this.tail)) this.append(',');
    this.addSpace();
  }

  /** What has been added since the last time. A space at its end waits for the next word. */
  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  private addWord(word: string, lostEmoji: boolean): void {
    if (this.gap !== '' && !(lostEmoji && this.gap === ' ' && BEGINS_WITH_MARK.test(word)))
      this.append(this.gap);
    this.gap = '';
    this.append(word);
  }

  private append(text: string): void {
    this.text += text;
    this.tail = (this.tail + text).slice(-TAIL_LENGTH);
  }
}
