import type { LanguageAbbreviations } from './language-abbreviations.js';

/** Titles and names that are said in all languages, such as those of people from elsewhere. */
export const EVERY_LANGUAGE: LanguageAbbreviations = {
  words: `
    dr dra sr sra jr mr mrs ms mx mme mlle prof st nº n° n.º nr tel vs cf ph.d
  `,
};
