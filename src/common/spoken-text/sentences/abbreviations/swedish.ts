import type { LanguageAbbreviations } from './language-abbreviations.js';

export const SWEDISH: LanguageAbbreviations = {
  words: `
    hr fru frk dr prof civ.ing tel nr t.ex bl.a d.v.s s.k m.fl.s ca kl jan febr apr jun jul aug sept
    okt nov dec
  `,
};
