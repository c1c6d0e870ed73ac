import type { LanguageAbbreviations } from './language-abbreviations.js';

export const FRENCH: LanguageAbbreviations = {
  words: `
    m mm mmes mlles mgr me drs pr prs ing gén lt sgt av bd boul bld rte imp pl fg ch bât appt apt
    rés étg tél réf n° chap vol fig p.ex ex env janv févr avr juil sept oct nov déc lun ven c.-à-d
  `,
};
