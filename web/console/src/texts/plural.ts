import { type Language, LOCALES } from '../../../shared/languages.js';

/** Chooses the form of a word that goes with a count, for the texts of one language. */
export function pluralOf(language: Language): (count: number, one: string, other: string) => string {
  const rules = new Intl.PluralRules(LOCALES[language]);
  return (count, one, other) => (rules.select(count) === 'one' ? one : other);
}
