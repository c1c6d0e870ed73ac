import type { LanguageAbbreviations } from './language-abbreviations.js';

export const CZECH: LanguageAbbreviations = {
  words: `
    pí ing mgr bc mudr judr phdr doc prof gen plk mjr kpt ul nám tř čp čís tel např tzv tj mj vč ref
    odst str kap obr tab sv
  `,
  hasDottedOrdinals: true,
};
