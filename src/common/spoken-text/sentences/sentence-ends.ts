import { type Abbreviations, abbreviationsOf } from './abbreviations-of.js';

/** What has come of a place in a text where a sentence may end. */
export type SentenceEnd = 'yes' | 'no' | 'undecided';

/** As much of a text as the rules of Unicode need on both sides of the place: https://www.unicode.org/reports/tr29/ */
const CONTEXT_BEFORE = 48;
const CONTEXT_AFTER = 24;

/** The word in front of a full stop, such as `Sr`, `p.m` or `nº`. */
const LAST_WORD = /(?:^|[^\p{L}\p{M}\p{N}])([\p{L}\p{M}\p{N}ºª°][\p{L}\p{M}\p{N}ºª°.’'-]{0,15})\.$/u;
/** Of a name, or of an abbreviation of two words such as `z. B.`. */
const INITIAL = /^\p{L}$/u;
/** `E.U.A`, and one that is not complete: `J.R`. */
const ACRONYM = /^(?:\p{Lu}\.)+\p{Lu}$/u;
const ORDINAL = /^\d{1,2}$/;
/** The number of an item, at the beginning of what is said or behind what announces it. */
const FIRST_NUMBER = /^\s?(?:\d{1,3}|[ivxlcdmIVXLCDM]{1,5})\.$/;
const ANNOUNCED_NUMBER = /[.!?…:;,(–—\n-] ?(?:\d{1,3}|[ivxIVX]{1,5})\.$/;
const LONGEST_NUMBER = 8;
const LONGEST_WORD = 18;
const CLOSED_MARK = /[.…!?]["'”’»)\]]*$/;
const CLOSED_CALL = /[!?]["'”’»)\]]*$/;
/** An address of the web continues after `?` and `!`. */
const ADDRESS = /[/@=&\\]|www\./i;
const BEGINS_SENTENCE = /^[\p{Lu}\p{Lo}¿¡]/u;
const BEGINS_WITH_MARK = /^[\p{Sentence_Terminal}…]/u;
const FULL_STOP = /(?:^|[^.])\.$/;
/** All that Unicode looks at behind a full stop. */
const DECIDING = /[\p{L}\p{Sentence_Terminal}…]/u;

/** Where sentences end in one language. */
export class SentenceEnds {
  private readonly segmenter: Intl.Segmenter;
  private readonly abbreviations: Abbreviations;

  /** @param language tag such as `pt-BR`; an unknown one has the rules that all languages share */
  constructor(language: string) {
    const locale = localeOf(language);
    this.segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' });
    this.abbreviations = abbreviationsOf(new Intl.Locale(locale).language);
  }

  /**
   * @param text from the end of the sentence before it
   * @param end behind the marks that may end a sentence, and what closes behind them
   * @param isComplete no more text will come
   */
  at(text: string, end: number, isComplete: boolean): SentenceEnd {
    // French has a space before the closing mark, behind which Unicode begins a sentence.
    const before = text.slice(Math.max(0, end - CONTEXT_BEFORE), end).replace(/ »$/, '»');
    const after = text.slice(end, end + CONTEXT_AFTER);
    const next = after.trimStart();
    const isDecided = DECIDING.test(next) || after.length === CONTEXT_AFTER;
    if (!isDecided && !isComplete) return 'undecided';
    if (BEGINS_WITH_MARK.test(next)) return 'no';
    if (next === after && !mayEndWithoutSpace(text.slice(0, end), next)) return 'no';
    if (FULL_STOP.test(before) && this.isAbbreviated(before, end <= LONGEST_NUMBER)) return 'no';
    return this.isUnicodeBoundary(before, after, after.length - next.length) ? 'yes' : 'no';
  }

  private isAbbreviated(before: string, isBeginning: boolean): boolean {
    if (isBeginning && FIRST_NUMBER.test(before)) return true;
    if (ANNOUNCED_NUMBER.test(before.slice(-LONGEST_NUMBER))) return true;
    const word = LAST_WORD.exec(before.slice(-LONGEST_WORD))?.[1];
    if (word === undefined) return false;
    const { words, endings, hasDottedOrdinals } = this.abbreviations;
    const small = word.toLowerCase();
    if (words.has(small) || INITIAL.test(word) || ACRONYM.test(word)) return true;
    if (endings.some((ending) => small.endsWith(ending))) return true;
    return hasDottedOrdinals && ORDINAL.test(word);
  }

  private isUnicodeBoundary(before: string, after: string, gap: number): boolean {
    // An ellipsis is three full stops, which Unicode does not know of the single character.
    const window = `${before}${after}`.replaceAll('…', '.');
    const start = before.length + gap;
    return this.segmenter.segment(window).containing(start)?.index === start;
  }
}

/** `Oi!Venha`, and scripts without spaces; not the `?` of an address. */
function mayEndWithoutSpace(before: string, next: string): boolean {
  const end = before.slice(-CONTEXT_BEFORE);
  if (!CLOSED_MARK.test(end)) return true;
  const word = before.slice(before.lastIndexOf(' ') + 1);
  return CLOSED_CALL.test(end) && BEGINS_SENTENCE.test(next) && !ADDRESS.test(word);
}

function localeOf(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'und';
  } catch {
    return 'und';
  }
}
