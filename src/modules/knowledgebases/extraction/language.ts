import { foldAccents } from '../retrieval/searchable-text.js';
import type { SearchLanguage } from './extraction.js';

type KnownLanguage = Exclude<SearchLanguage, 'simple'>;

/** Frequent words that the other languages do not have, accents folded. */
const FREQUENT_WORDS: Readonly<Record<KnownLanguage, ReadonlySet<string>>> = {
  portuguese: words(
    'nao uma um com em do da dos das ao aos os as pelo pela sao tambem mais isso voce seu sua ou ate quando onde qual quais no na nos nas foi ser tem',
  ),
  english: words(
    'the of and to in is that for it with as on are this be by from or an at you your we our can which when where what not have has will',
  ),
  spanish: words(
    'el los las una un con en del al por su es mas pero como esta son usted y o cuando donde cual no lo le se tiene hay muy tambien',
  ),
};

const BY_CODE: Readonly<Record<string, SearchLanguage>> = { pt: 'portuguese', en: 'english', es: 'spanish' };

/** `com` is a frequent word of Portuguese. */
const ADDRESS = /https?:\/\/\S+|@\S+/g;

/** The language of a tag such as `pt-BR`. */
export function languageOfTag(tag: string): SearchLanguage {
  return BY_CODE[tag.slice(0, 2).toLowerCase()] ?? 'simple';
}

/** The language most of whose frequent words occur; the fallback when that decides nothing. */
export function languageOf(text: string, fallback: SearchLanguage): SearchLanguage {
  const found = foldAccents(text.replace(ADDRESS, ' ')).match(/\p{L}+/gu) ?? [];
  const scores = (Object.keys(FREQUENT_WORDS) as KnownLanguage[])
    .map((language) => ({
      language,
      hits: found.filter((word) => FREQUENT_WORDS[language].has(word)).length,
    }))
    .toSorted((a, b) => b.hits - a.hits);
  const [best, second] = scores;
  if (!best || best.hits === second?.hits) return fallback;
  return best.language;
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
