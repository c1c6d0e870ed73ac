import { foldAccents } from '#src/modules/knowledgebases/retrieval/searchable-text.js';

/** First parts that Portuguese or English always write with a hyphen. */
const PREFIXES = words('pré pós pró recém além aquém vice bem não well self e');

/** Frequent compounds, accents folded and in the singular. */
const COMPOUNDS = words(
  `segunda-feira terca-feira quarta-feira quinta-feira sexta-feira segundas-feira tercas-feira quartas-feira
   quintas-feira sextas-feira guarda-roupa guarda-chuva guarda-costa guarda-sol guarda-volume guarda-louca
   guarda-corpo guarda-movel guarda-vida porta-retrato porta-mala porta-copo porta-joia porta-chave porta-toalha
   porta-objeto porta-voz porta-luva para-brisa para-choque para-raio para-lama lava-louca lava-roupa lava-rapido
   saca-rolha conta-gota conta-giro meio-dia meia-noite meio-fio meia-luz ar-condicionado materia-prima
   dia-a passo-a porta-a cara-metade lua-de pe-de mao-de primeiro-ministro primeiros-socorro corre-mao alto-mar
   alto-falante baixo-relevo couve-flor erva-doce erva-mate cana-de norte-americano norte-americana latino-americano
   latino-americana sul-americano sul-americana afro-brasileiro afro-brasileira decreto-lei salario-familia
   salario-maternidade cartao-postal cartao-resposta abaixo-assinado tira-mancha tira-duvida bate-papo
   quebra-cabeca cata-vento criado-mudo micro-onda contra-ataque mini-saia check-in check-out check-up dial-up
   pick-up drive-in drive-through wi-fi back-up log-in sign-in sign-up built-in long-term short-term full-time
   part-time real-time high-quality up-to step-by state-of day-to co-worker`,
);

/** Common words that would be taken for a verb with a pronoun, accents folded and in the singular. */
const PLAIN_WORDS = words(
  `tabela janela parcela panela novela cautela tutela capela canela favela chinela costela estrela aquarela sequela
   modelo cabelo amarelo castelo martelo paralelo camelo apelo duelo amarela cavalo intervalo escala regalo abalo
   estala embala senzala bengala estilo asilo sigilo esquilo tranquilo tranquila mochila argila pupila
   hipotese sintese protese catequese enfase antitese vexame certame detalhe retalhe`,
);

/** Imperatives that address the company: "ligue-nos". */
const IMPERATIVES = words(
  'ligue envie contate contacte consulte visite siga procure escreva chame conte avise informe acompanhe mande',
);

/** A vowel ends a verb before a pronoun only in words of some length. */
const MIN_VERB_LENGTH = 4;

/** Whether the parts of a word that the end of a line separates are written with a hyphen between them. */
export function isHyphenatedPair(start: string, end: string): boolean {
  const [first, second] = [start.toLowerCase(), end.toLowerCase()];
  if (PREFIXES.has(first) || hasWord(COMPOUNDS, `${first}-${second}`)) return true;
  return !hasWord(PLAIN_WORDS, first + second) && isVerbWithPronoun(first, second);
}

function isVerbWithPronoun(verb: string, pronoun: string): boolean {
  const isLong = verb.length >= MIN_VERB_LENGTH;
  switch (pronoun) {
    case 'la':
    case 'las':
    case 'lo':
    case 'los':
      // An infinitive without its r; many people leave out its accent.
      return /[áêíô]$/.test(verb) || (isLong && /[aei]$/.test(verb));
    case 'se':
    case 'me':
    case 'lhe':
    case 'lhes':
      return isLong && /[ae]$|[aei]r$|[aeo]m$/.test(verb);
    case 'nos':
    case 'vos':
      return IMPERATIVES.has(verb) || (isLong && /[aei]r$|mo$/.test(verb));
    default:
      return false;
  }
}

/** Also in the plural. */
function hasWord(list: ReadonlySet<string>, word: string): boolean {
  const folded = foldAccents(word);
  return list.has(folded) || (folded.endsWith('s') && list.has(folded.slice(0, -1)));
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}
