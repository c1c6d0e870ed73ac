import type { voice } from '@livekit/agents';

/** How fast a voice speaks, in letters and spaces a second, until it was measured. */
const LETTERS_PER_SECOND = 15;

interface TimedWord {
  /** Where the word begins in `text`. */
  readonly at: number;
  readonly startSeconds: number;
}

/** The words of one stretch of speech, and how many of them were heard when it was cut off. */
export class SpokenWords {
  private readonly times: TimedWord[] = [];
  private words = '';
  /** The model was lost before it had said all of them: how much sound belongs to them is not known. */
  private isCutOff = false;

  get text(): string {
    return this.words.trim();
  }

  get areCutOff(): boolean {
    return this.isCutOff;
  }

  /** Takes the next words, with their times where the voice tells them; words at an infinite time are never heard. */
  add(chunk: string | voice.TimedString): void {
    const text = typeof chunk === 'string' ? chunk : chunk.text;
    if (typeof chunk !== 'string' && chunk.startTime === Infinity) this.isCutOff = true;
    else if (typeof chunk !== 'string' && chunk.startTime !== undefined)
      this.times.push({ at: this.words.length, startSeconds: chunk.startTime });
    this.words += text;
  }

  /**
   * The words that were heard, none of them in part.
   *
   * @param playedSeconds how much sound was heard
   * @param madeSeconds how much sound was made of the words so far
   * @param isWhole the sound of all words is made
   */
  heard(playedSeconds: number, madeSeconds: number, isWhole: boolean): string {
    if (playedSeconds <= 0) return '';
    const isCovered = isWhole && !this.isCutOff;
    if (isCovered && playedSeconds >= madeSeconds) return this.text;
    const marks = [{ at: 0, startSeconds: 0 }, ...this.times, this.end(madeSeconds, isCovered)];
    const after = marks.findIndex(({ startSeconds }) => startSeconds > playedSeconds);
    const [from, to] = [marks[after - 1], marks[after]];
    if (!from || !to) return this.text;
    const share = (playedSeconds - from.startSeconds) / (to.startSeconds - from.startSeconds);
    return wholeWords(this.words, from.at + Math.floor((to.at - from.at) * share));
  }

  private end(madeSeconds: number, isWhole: boolean): TimedWord {
    const last = this.times.at(-1) ?? { at: 0, startSeconds: 0 };
    const reckoned = last.startSeconds + (this.words.length - last.at) / LETTERS_PER_SECOND;
    return { at: this.words.length, startSeconds: isWhole ? madeSeconds : reckoned };
  }
}

function wholeWords(text: string, length: number): string {
  if (length >= text.length) return text.trim();
  const end = /\s/.test(text.charAt(length)) ? length : text.slice(0, length).search(/\s\S*$/);
  return end <= 0 ? '' : text.slice(0, end).trim();
}
