import type { LanguageAbbreviations } from './language-abbreviations.js';

export const SPANISH: LanguageAbbreviations = {
  words: `
    srs sres sras srta srtas srita dres dras dña dª ing lic arq profa abg mtro mtra cap gral cnel
    tte sgto hno hna fr mons rev exmo excmo excma ilmo ilma av avda avd ctra cta pza plza pº urb
    edif esc dcha izq izqda dpto depto apdo col mz lt núm num nro tlf tfno teléf cel ext pág págs
    pag art arts vol fig ref p.ej ej aprox máx mín ud uds vd vds ene feb abr ago sept oct nov dic
    lun mié mier jue vie sáb ee.uu rr.hh
  `,
};
