import type { LanguageAbbreviations } from './language-abbreviations.js';

export const SLOVAK: LanguageAbbreviations = {
  words: `
    pí ing mgr bc mudr judr phdr doc prof gen plk mjr kpt ul nám čís tel napr tzv tj vrát ods str
    kap obr tab sv
  `,
  hasDottedOrdinals: true,
};
