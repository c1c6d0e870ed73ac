import type { LanguageAbbreviations } from './language-abbreviations.js';

export const GREEK: LanguageAbbreviations = {
  words: `
    κα κος δρ καθ οδ αρ τηλ κιν π.χ δηλ βλ σελ αγ
  `,
};
