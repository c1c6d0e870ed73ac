import type { LanguageAbbreviations } from './language-abbreviations.js';

export const ENGLISH: LanguageAbbreviations = {
  words: `
    messrs mmes rev hon fr sen gov pres gen col maj capt cpt cmdr lt sgt cpl pvt adm supt insp sr.ª
    ave blvd rd hwy rte apt ste bldg fl mt pt dept univ assn approx appt ext ph fig figs ch vol vols
    pp p.o e.g i.e viz ca jan feb apr jun jul aug sept oct nov dec mon tue tues thu thur thurs fri
  `,
};
