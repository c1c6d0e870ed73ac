import type { LanguageAbbreviations } from './language-abbreviations.js';

export const DUTCH: LanguageAbbreviations = {
  words: `
    dhr mevr mw mej drs ir ing mr prof ds bc zgn str nr nrs tel mob blz pag art bv bijv o.a d.w.z
    m.b.t t.a.v i.v.m a.u.b incl excl ca max min jan feb mrt apr jun jul aug sept okt nov dec
  `,
  endings: 'str',
};
