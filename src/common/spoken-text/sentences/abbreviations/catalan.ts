import type { LanguageAbbreviations } from './language-abbreviations.js';

export const CATALAN: LanguageAbbreviations = {
  words: `
    srs sres sras srta dra av avda pl pça ctra pg núm tel tlf ext pàg pàgs art cap vol fig p.ex
    aprox màx mín
  `,
};
