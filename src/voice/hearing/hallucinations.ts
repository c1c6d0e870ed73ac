import { plainWords } from './plain-words.js';
import { languagesOf, phrasesOf } from './phrase-lists.js';

/** Descriptions of sounds, which recognizers put in brackets or between notes and asterisks. Those with digits may be numbers. */
const DESCRIPTIONS = [
  /\([^()\d]*\)/gu,
  /\[[^[\]\d]*\]/gu,
  /\{[^{}\d]*\}/gu,
  /<[^<>\d]*>/gu,
  /（[^（）\d]*）/gu,
  /【[^【】\d]*】/gu,
  /［[^［］\d]*］/gu,
  /[♪♫♩♬🎵🎶][^♪♫♩♬🎵🎶]*[♪♫♩♬🎵🎶]/gu,
  /\*[^*\d]*\*/gu,
];
/** The fastest speech that can be understood, in letters a second. */
const MAX_LETTERS_PER_SECOND = 20;
const LETTER_MS = 1_000 / MAX_LETTERS_PER_SECOND;
const EVERY_LANGUAGE = languagesOf('hallucinations');
/** Noise of at most this length is short, for any text that is written for it: callers say none of the phrases. */
const SHORT_MS = 2_000;
/** A person who speaks is louder than this, as root mean square of 32 ms. */
const QUIET_RMS = 0.008;

/** What was heard where a recognizer says that there were words. */
export interface HeardSound {
  /** How much of it the detector of speech takes for speech. */
  readonly speechMs: number;
  /** The loudest 32 ms, as root mean square from 0 to 1. */
  readonly peakRms: number;
}

/** Whether a text has no words: punctuation alone, or descriptions of sounds such as "[Music]" and "(silence)". */
export function hasNoWords(text: string): boolean {
  const rest = DESCRIPTIONS.reduce((left, description) => left.replaceAll(description, ' '), text);
  return !/[\p{L}\p{N}]/u.test(rest);
}

/**
 * Whether a text is one that recognizers write for noise, such as the credits of subtitles. The sound must also be
 * too short or too quiet for a person who says it.
 * A recognizer that hallucinates does so in any language, whichever it was asked to recognize.
 */
export function isHallucination(text: string, sound: HeardSound): boolean {
  const words = plainWords(text);
  if (!isKnown(words)) return false;
  const letters = words.join('').length;
  return sound.peakRms < QUIET_RMS || sound.speechMs < Math.max(SHORT_MS, letters * LETTER_MS);
}

/**
 * Whether words that are still being spoken may become one of those texts, in a language that the customer speaks: until they have
 * come to their end they do not interrupt.
 *
 * @param languages ISO 639-1, of the assistant
 */
export function beginsHallucination(text: string, languages: readonly string[]): boolean {
  const words = plainWords(text);
  return (
    words.length > 0 && phrasesIn(languages).some((phrase) => phrase.words.startsWith(` ${words.join(' ')}`))
  );
}

interface KnownPhrase {
  readonly words: string;
  /** Any other words may follow, such as the name of a translator. */
  readonly isBeginning: boolean;
}

const known = new Map<string, readonly KnownPhrase[]>();

function isKnown(words: readonly string[]): boolean {
  const phrases = phrasesIn(EVERY_LANGUAGE);
  let rest = spaced(words);
  // Recognizers repeat themselves.
  while (rest !== ' ') {
    const found = phrases.find((phrase) => rest.startsWith(phrase.words));
    if (!found) return false;
    if (found.isBeginning) return true;
    rest = rest.slice(found.words.length - 1);
  }
  return words.length > 0;
}

/** English as well, the language of most training. */
function phrasesIn(languages: readonly string[]): readonly KnownPhrase[] {
  const key = languages.join();
  const phrases = known.get(key) ?? readPhrases(languages);
  known.set(key, phrases);
  return phrases;
}

function readPhrases(languages: readonly string[]): readonly KnownPhrase[] {
  const phrases = phrasesOf('hallucinations', ['en', ...languages]).map(toKnown);
  return phrases.filter(({ words }) => words !== ' ').toSorted(longestFirst);
}

function toKnown(phrase: string): KnownPhrase {
  return { words: spaced(plainWords(phrase)), isBeginning: phrase.endsWith('*') };
}

function longestFirst(a: KnownPhrase, b: KnownPhrase): number {
  return b.words.length - a.words.length;
}

/** With a space at both ends, so that no phrase ends in the middle of a word. */
function spaced(words: readonly string[]): string {
  return words.length === 0 ? ' ' : ` ${words.join(' ')} `;
}
