import type { LanguageAbbreviations } from './language-abbreviations.js';

export const GERMAN: LanguageAbbreviations = {
  words: `
    hr hrn fr frl dipl dipl.-ing ing mag priv univ med jur phil rer nat str pl nr nrn tel mob hausnr
    stk gebr inkl exkl zzgl abzgl ca bzw bspw z.b d.h u.a u.ä o.ä z.t z.zt i.d.r s.o s.u v.a evtl
    ggf sog geb verh abs bd kap abb tab vgl s.a max min jan feb apr jun jul aug sept okt nov dez mo
    di mi do sa st
  `,
  endings: 'str',
  hasDottedOrdinals: true,
};
