import type { Language } from '../../i18n/text.js';

/** Where people read Portuguese, by ISO 3166 code. */
const PORTUGUESE = new Set(['AO', 'BR', 'CV', 'GW', 'MO', 'MZ', 'PT', 'ST', 'TL']);

/** The language of e-mails in the name of an account, by its country. */
export function emailLanguageOf(country: string): Language {
  return PORTUGUESE.has(country) ? 'pt' : 'en';
}
