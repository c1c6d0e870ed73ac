import { CATALAN } from './abbreviations/catalan.js';
import { CROATIAN } from './abbreviations/croatian.js';
import { CZECH } from './abbreviations/czech.js';
import { DANISH } from './abbreviations/danish.js';
import { DUTCH } from './abbreviations/dutch.js';
import { ENGLISH } from './abbreviations/english.js';
import { EVERY_LANGUAGE } from './abbreviations/every-language.js';
import { FINNISH } from './abbreviations/finnish.js';
import { FRENCH } from './abbreviations/french.js';
import { GERMAN } from './abbreviations/german.js';
import { GREEK } from './abbreviations/greek.js';
import { HUNGARIAN } from './abbreviations/hungarian.js';
import { ITALIAN } from './abbreviations/italian.js';
import type { LanguageAbbreviations } from './abbreviations/language-abbreviations.js';
import { NORWEGIAN } from './abbreviations/norwegian.js';
import { POLISH } from './abbreviations/polish.js';
import { PORTUGUESE } from './abbreviations/portuguese.js';
import { ROMANIAN } from './abbreviations/romanian.js';
import { RUSSIAN } from './abbreviations/russian.js';
import { SLOVAK } from './abbreviations/slovak.js';
import { SLOVENIAN } from './abbreviations/slovenian.js';
import { SPANISH } from './abbreviations/spanish.js';
import { SWEDISH } from './abbreviations/swedish.js';
import { TURKISH } from './abbreviations/turkish.js';
import { UKRAINIAN } from './abbreviations/ukrainian.js';

/** By ISO 639-1 code. Languages without a list have the words of every language. */
const BY_LANGUAGE: Readonly<Record<string, LanguageAbbreviations>> = {
  bs: CROATIAN,
  ca: CATALAN,
  cs: CZECH,
  da: DANISH,
  de: GERMAN,
  el: GREEK,
  en: ENGLISH,
  es: SPANISH,
  fi: FINNISH,
  fr: FRENCH,
  gl: SPANISH,
  hr: CROATIAN,
  hu: HUNGARIAN,
  it: ITALIAN,
  nb: NORWEGIAN,
  nl: DUTCH,
  nn: NORWEGIAN,
  no: NORWEGIAN,
  pl: POLISH,
  pt: PORTUGUESE,
  ro: ROMANIAN,
  ru: RUSSIAN,
  sk: SLOVAK,
  sl: SLOVENIAN,
  sr: CROATIAN,
  sv: SWEDISH,
  tr: TURKISH,
  uk: UKRAINIAN,
};

export interface Abbreviations {
  readonly words: ReadonlySet<string>;
  readonly endings: readonly string[];
  readonly hasDottedOrdinals: boolean;
}

const known = new Map<string, Abbreviations>();

/** @param iso2 of a language, in lower case */
export function abbreviationsOf(iso2: string): Abbreviations {
  const own = BY_LANGUAGE[iso2];
  const existing = known.get(own ? iso2 : '');
  if (existing) return existing;
  const abbreviations = {
    words: new Set([...listOf(EVERY_LANGUAGE.words), ...listOf(own?.words)]),
    endings: listOf(own?.endings),
    hasDottedOrdinals: own?.hasDottedOrdinals ?? false,
  };
  known.set(own ? iso2 : '', abbreviations);
  return abbreviations;
}

function listOf(words = ''): string[] {
  return words.split(/\s+/).filter((word) => word !== '');
}
