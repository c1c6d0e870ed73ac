import type { LanguageAbbreviations } from './language-abbreviations.js';

export const SLOVENIAN: LanguageAbbreviations = {
  words: `
    ga gdč dr mag prof ing ul št tel npr t.i tj oz str pogl sl čl
  `,
  hasDottedOrdinals: true,
};
