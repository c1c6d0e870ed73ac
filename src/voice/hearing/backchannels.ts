import { joinedWords, plainWords } from './plain-words.js';
import { phrasesOf } from './phrase-lists.js';

/** Listeners say a few in a row: "yeah, yeah, okay". More is something that they want to say. */
const MAX_PHRASES = 4;
const QUESTION_MARKS = /[?？؟¿]/u;

interface Vocabulary {
  readonly phrases: ReadonlySet<string>;
  /** Of the longest phrase. */
  readonly maxWords: number;
}

const vocabularies = new Map<string, Vocabulary>();

/**
 * Whether the words are nothing but signs of listening, such as "uhum" and "yeah, right", and no question.
 *
 * @param languages ISO 639-1, of the assistant
 */
export function isBackchannel(text: string, languages: readonly string[]): boolean {
  return !QUESTION_MARKS.test(text) && reads(plainWords(text), vocabularyOf(languages), MAX_PHRASES, false);
}

/** The same of words that are still being spoken: the last phrase may be cut in its middle. */
export function beginsBackchannel(text: string, languages: readonly string[]): boolean {
  return !QUESTION_MARKS.test(text) && reads(plainWords(text), vocabularyOf(languages), MAX_PHRASES, true);
}

/** Whether the words can be divided into at most so many phrases. */
function reads(
  words: readonly string[],
  vocabulary: Vocabulary,
  phrasesLeft: number,
  mayBeCut: boolean,
): boolean {
  if (words.length === 0 || phrasesLeft === 0) return false;
  if (mayBeCut && isBeginning(joinedWords(words), vocabulary)) return true;
  for (let count = 1; count <= Math.min(words.length, vocabulary.maxWords); count++) {
    if (!vocabulary.phrases.has(joinedWords(words.slice(0, count)))) continue;
    const rest = words.slice(count);
    if (rest.length === 0 || reads(rest, vocabulary, phrasesLeft - 1, mayBeCut)) return true;
  }
  return false;
}

function isBeginning(word: string, { phrases }: Vocabulary): boolean {
  return [...phrases].some((phrase) => phrase.startsWith(word));
}

function vocabularyOf(languages: readonly string[]): Vocabulary {
  const key = languages.join();
  const known = vocabularies.get(key);
  if (known) return known;
  const phrases = phrasesOf('backchannels', languages).map(plainWords);
  const vocabulary = {
    phrases: new Set(phrases.map(joinedWords)),
    maxWords: Math.max(...phrases.map(({ length }) => length)),
  };
  vocabularies.set(key, vocabulary);
  return vocabulary;
}
