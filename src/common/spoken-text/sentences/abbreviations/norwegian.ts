import type { LanguageAbbreviations } from './language-abbreviations.js';

export const NORWEGIAN: LanguageAbbreviations = {
  words: `
    hr fr frk tlf nr f.eks bl.a dvs ca kl jf pga mht jan feb apr jun jul aug sept okt nov des
  `,
  hasDottedOrdinals: true,
};
