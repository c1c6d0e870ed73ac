import type { Language } from './language.js';
import { wordsOf } from './words.js';

interface Phrases {
  readonly opening: string;
  readonly greeting: string;
  /** Instead of a second greeting. */
  readonly greetedAlready: string;
  readonly thanks: string;
  readonly farewell: string;
  /** What it is and what it can do. */
  readonly about: string;
  readonly unknown: string;
  readonly stillThere: string;
  readonly ask: (what: string) => string;
}

/** All that the sandbox model says of itself. */
export const PHRASES: Readonly<Record<Language, Phrases>> = {
  pt: {
    opening: 'Olá! Como posso ajudar?',
    greeting: 'Olá! Em que posso ajudar?',
    greetedAlready: 'Em que posso ajudar?',
    thanks: 'De nada! Posso ajudar em mais alguma coisa?',
    farewell: 'Até logo! Obrigado pelo contato.',
    about:
      'Sou um modelo de demonstração: respondo com o que está nos documentos, uso as ferramentas deste assistente e entendo ' +
      'perguntas simples.',
    unknown:
      'Não encontrei essa informação. Sou um modelo de demonstração: respondo com o que está nos documentos, uso as ' +
      'ferramentas deste assistente e entendo perguntas simples.',
    stillThere: 'Você ainda está aí? Posso ajudar em mais alguma coisa?',
    ask: (what) => `Para isso preciso saber: ${what}.`,
  },
  en: {
    opening: 'Hello! How can I help you?',
    greeting: 'Hello! What can I do for you?',
    greetedAlready: 'What can I do for you?',
    thanks: "You're welcome! Is there anything else I can help with?",
    farewell: 'Goodbye! Thank you for getting in touch.',
    about:
      'I am a demo model: I answer from the documents, use the tools of this assistant and understand simple questions.',
    unknown:
      "I couldn't find that. I am a demo model: I answer from the documents, use the tools of this assistant and understand " +
      'simple questions.',
    stillThere: 'Are you still there? Is there anything else I can help with?',
    ask: (what) => `For that I need to know: ${what}.`,
  },
  es: {
    opening: '¡Hola! ¿En qué puedo ayudar?',
    greeting: '¡Hola! ¿En qué puedo ayudarle?',
    greetedAlready: '¿En qué puedo ayudarle?',
    thanks: '¡De nada! ¿Puedo ayudarle en algo más?',
    farewell: '¡Hasta luego! Gracias por su contacto.',
    about:
      'Soy un modelo de demostración: respondo con lo que está en los documentos, uso las herramientas de este asistente y ' +
      'entiendo preguntas sencillas.',
    unknown:
      'No encontré esa información. Soy un modelo de demostración: respondo con lo que está en los documentos, uso las ' +
      'herramientas de este asistente y entiendo preguntas sencillas.',
    stillThere: '¿Sigue ahí? ¿Puedo ayudarle en algo más?',
    ask: (what) => `Para eso necesito saber: ${what}.`,
  },
};

const GREETING = /^(?:oi|ola|alo|bom|boa|hello|hi|hey|good|opa)$/;
const THANKS = /^(?:obrigad[oa]|valeu|thanks|thank|brigad[oa]|grat[oa])$/;
const FAREWELL = /^(?:tchau|adeus|bye|goodbye|falou)$/;
const SMALL_TALK_MAX_WORDS = 4;
const INVITATION_MAX_WORDS = 6;

const INVITATION =
  /\b(?:pode (?:falar|dizer|continuar)|estou ouvindo|sou eu|sim pode|tem alguem ai|anybody there|go (?:ahead|on)|i(?:m| am) listening|speaking|its me)\b/;

/** Whether the customer asks the assistant to go on, as callees do: "Pode falar, estou ouvindo." */
export function isInvitation(message: string): boolean {
  const words = wordsOf(message).map((word) => word.folded);
  return words.length <= INVITATION_MAX_WORDS && INVITATION.test(words.join(' '));
}

/**
 * The answer to a greeting, thanks or farewell that is not part of a longer request; else null.
 *
 * @param hasSpoken whether the assistant has said anything before; it greets once
 */
export function smallTalk(message: string, language: Language, hasSpoken: boolean): string | null {
  const words = wordsOf(message).map((word) => word.folded);
  if (words.length > SMALL_TALK_MAX_WORDS) return null;
  if (words.some((word) => FAREWELL.test(word))) return PHRASES[language].farewell;
  if (words.some((word) => THANKS.test(word))) return PHRASES[language].thanks;
  if (words[0] === undefined || !GREETING.test(words[0])) return null;
  return hasSpoken ? PHRASES[language].greetedAlready : PHRASES[language].greeting;
}
