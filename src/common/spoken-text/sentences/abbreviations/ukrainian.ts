import type { LanguageAbbreviations } from './language-abbreviations.js';

export const UKRAINIAN: LanguageAbbreviations = {
  words: `
    пп вул просп пл пров буд кв корп оф тел моб дод ім ст проф акад доц інж ген св грн коп тис млн
    млрд т.зв напр див рис табл обл р-н
  `,
};
