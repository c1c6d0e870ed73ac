/** Where people speak Portuguese, by ISO 3166 code. */
const PORTUGUESE = new Set(['AO', 'BR', 'CV', 'GW', 'MO', 'MZ', 'PT', 'ST', 'TL']);

/** In which of the languages of the product people of a country are addressed. */
export function languageOfCountry(country: string): 'pt' | 'en' {
  return PORTUGUESE.has(country) ? 'pt' : 'en';
}

/** The same as a language tag for voices. */
export function localeOf(country: string): string {
  return { pt: 'pt-BR', en: 'en-US' }[languageOfCountry(country)];
}
