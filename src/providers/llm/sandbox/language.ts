import { fold, wordsOf } from './words.js';

export type Language = 'pt' | 'en' | 'es';

const ENGLISH = new Set(
  `the is are am was were what which who how where when why do does did can could would will you your my i it we they
  this that and for with of to from have has please thanks thank hi hello hey good morning evening want need yes not
  order find check book call help open close bye goodbye tell give`.split(/\s+/),
);

const PORTUGUESE = new Set(
  `o os um uma de da das dos em na nas ao e que qual quais quem como onde quando quanto eh sao esta estao foi
  voce voces meu minha seu sua eu ele ela nos isso este esse essa com por para pra sim nao obrigado obrigada oi ola bom
  boa tarde noite quero queria gostaria preciso posso pode tem tenho favor pedido tchau`.split(/\s+/),
);

/** The rule that the platform writes behind each prompt. */
const SPANISH_RULE = /\bAnswer in [^\n(]{1,40}\(es\b/;

/**
 * The language to answer in: English when the latest user message that tells is English, or when the
 * instructions ask for it; Spanish when the assistant speaks it; Portuguese otherwise.
 * @param userMessages oldest first
 */
export function languageOf(userMessages: readonly string[], instructions: string): Language {
  if (asksForEnglish(instructions)) return 'en';
  const balance = userMessages.map(englishBalance).findLast((value) => value !== 0) ?? 0;
  if (balance > 0) return 'en';
  return SPANISH_RULE.test(instructions) ? 'es' : 'pt';
}

function asksForEnglish(instructions: string): boolean {
  const text = fold(instructions);
  return (
    /\b(language|idioma|lingua)\b[^.\n,;()]{0,20}\b(english|ingles|en)\b/.test(text) ||
    /\b(speak|respond|answer|reply|talk|fale|responda)\b[^.\n,;]{0,20}\b(in english|english|em ingles|ingles)\b/.test(
      text,
    )
  );
}

function englishBalance(message: string): number {
  return wordsOf(message).reduce(
    (balance, { folded }) => balance + Number(ENGLISH.has(folded)) - Number(PORTUGUESE.has(folded)),
    0,
  );
}
