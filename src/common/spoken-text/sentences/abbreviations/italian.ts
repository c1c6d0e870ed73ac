import type { LanguageAbbreviations } from './language-abbreviations.js';

export const ITALIAN: LanguageAbbreviations = {
  words: `
    sig sigg sigra sig.ra sig.na sigg.ri dott dott.ssa drssa avv ing arch geom rag on sen prof.ssa
    proff egr gent spett ill cap col gen magg ten serg mons p.zza pzza v.le vle c.so cso str fraz
    loc int sc tel cell n.ro num pag pagg art artt vol fig rif p.es es ecc.mo ca febbr feb apr giu
    lug ago sett ott nov dic lun mer gio ven sab
  `,
};
