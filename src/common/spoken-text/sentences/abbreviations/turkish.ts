import type { LanguageAbbreviations } from './language-abbreviations.js';

export const TURKISH: LanguageAbbreviations = {
  words: `
    sn bay dr prof doç yrd av mim müh alb yzb cad sok mah apt blv no tel dah örn bkz yy m.ö m.s
  `,
  hasDottedOrdinals: true,
};
