import type { LanguageAbbreviations } from './language-abbreviations.js';

/** Also of Bosnian, and of Serbian in the Latin script. */
export const CROATIAN: LanguageAbbreviations = {
  words: `
    gđa gdin gđica mr prof ing dipl ul tj br tel npr tzv odn str čl sv
  `,
  hasDottedOrdinals: true,
};
