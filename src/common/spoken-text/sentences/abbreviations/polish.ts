import type { LanguageAbbreviations } from './language-abbreviations.js';

export const POLISH: LanguageAbbreviations = {
  words: `
    pp prof hab inż mgr lek med ks bp gen płk mjr kpt por ul al pl os m.in np tzn tzw tj nr nry tel
    kom wew str art ust pkt poz rys tab godz min ww św
  `,
  hasDottedOrdinals: true,
};
