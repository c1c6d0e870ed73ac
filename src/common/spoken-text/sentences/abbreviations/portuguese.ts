import type { LanguageAbbreviations } from './language-abbreviations.js';

export const PORTUGUESE: LanguageAbbreviations = {
  words: `
    srs sras srta srtas drs dras dª profa profª profs prof.ª sr.ª dr.ª eng enga engº engª arq adv
    exmo exma ilmo ilma sto sta mons pe rev sgt cap cel ten maj gal gen dep sen gov pres v.exa v.sa
    v.s v.m av al rod trav pça lg lgo jd vl bl apto ap and qd lt cj res cond galp est tels cx núm
    num nros pág págs pag pags p.ex ex obs art arts inc vol fls fl fig tab ref refs cód cod proc op
    séc aprox máx mín méd qtd qtde unid jan fev abr mai jun jul ago set out nov seg qua qui sáb hab
    dept depto univ esc fac hosp inst sec ass i.e q.v
  `,
};
