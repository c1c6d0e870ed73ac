/** Languages of the pages; the first is that of the product. */
export const LANGUAGES = ['pt', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What `Intl` and the `lang` of a page want. */
export const LOCALES: Readonly<Record<Language, string>> = { pt: 'pt-BR', en: 'en' };

/** The first language of the list that we have. People who read neither are likelier to read English. */
export function languageFrom(wishes: readonly string[]): Language {
  for (const wish of wishes) {
    const found = LANGUAGES.find((language) => wish.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return 'en';
}
