import type { LanguageAbbreviations } from './language-abbreviations.js';

export const ROMANIAN: LanguageAbbreviations = {
  words: `
    dl dna d-na d-nei d-lui d-l dra d-ra ing av jud str bd bld bl sc et ap nr tel int ex pag art cap
    vol fig cca lt ian febr apr iun iul aug sept oct noiem dec
  `,
};
