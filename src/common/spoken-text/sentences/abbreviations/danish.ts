import type { LanguageAbbreviations } from './language-abbreviations.js';

export const DANISH: LanguageAbbreviations = {
  words: `
    hr fr frk tlf nr nrs f.eks bl.a dvs ca kl jf pga mht jan feb apr jun jul aug sept okt nov dec
  `,
  hasDottedOrdinals: true,
};
