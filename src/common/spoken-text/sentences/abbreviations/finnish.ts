import type { LanguageAbbreviations } from './language-abbreviations.js';

export const FINNISH: LanguageAbbreviations = {
  words: `
    hra rva nti puh nro esim mm ns ts ks klo
  `,
  hasDottedOrdinals: true,
};
