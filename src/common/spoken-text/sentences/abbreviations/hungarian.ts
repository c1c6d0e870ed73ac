import type { LanguageAbbreviations } from './language-abbreviations.js';

export const HUNGARIAN: LanguageAbbreviations = {
  words: `
    ifj id özv prof tel sz kb pl ún ill vö krt pf em fszt
  `,
  hasDottedOrdinals: true,
};
