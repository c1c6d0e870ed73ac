import { type Language, LANGUAGES, languageFrom, LOCALES } from '../../../shared/languages.js';
import type { texts as portuguese } from './pt.js';

export type Texts = typeof portuguese;

const STORED = 'prosa.language';

const loaders: Record<Language, () => Promise<Texts>> = {
  pt: async () => (await import('./pt.js')).texts,
  en: async () => (await import('./en.js')).texts,
};

/** The language that was chosen here, or the browser's. */
export function firstLanguage(): Language {
  const stored = LANGUAGES.find((language) => language === localStorage.getItem(STORED));
  return stored ?? languageFrom(navigator.languages);
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(STORED, language);
}

export async function loadTexts(language: Language): Promise<Texts> {
  const texts = await loaders[language]();
  document.documentElement.lang = LOCALES[language];
  return texts;
}
