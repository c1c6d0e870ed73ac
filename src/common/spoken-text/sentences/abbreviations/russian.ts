import type { LanguageAbbreviations } from './language-abbreviations.js';

export const RUSSIAN: LanguageAbbreviations = {
  words: `
    гг г-н г-жа ул пр просп пл пер наб кв корп стр оф эт тел моб доб ст проф акад доц инж ген полк
    св руб коп тыс млн млрд т.е т.н т.к напр см рис табл янв февр апр авг сент окт нояб дек
  `,
};
