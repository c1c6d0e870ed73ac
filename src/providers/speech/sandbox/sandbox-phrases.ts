import { personaLines } from '../../telephony/sandbox/sandbox-persona.js';
import type { Phrase } from './phrase-book.js';

/** What a tester may say to a demo assistant of the sandbox. */
const VISITOR_LINES: Readonly<Record<string, readonly string[]>> = {
  'pt-BR': [
    'Olá, boa tarde.',
    'Eu gostaria de marcar uma consulta para amanhã às três horas.',
    'Qual é o horário de atendimento?',
    'Pode repetir, por favor?',
    'Quero falar com um atendente.',
    'Sim.',
    'Não.',
    'Obrigado. Tchau!',
  ],
  'en-US': [
    'Hello, good afternoon.',
    'I would like to book an appointment for tomorrow at three o clock.',
    'What are your opening hours?',
    'Can you repeat that, please?',
    'I want to talk to a person.',
    'Yes.',
    'No.',
    'Thank you. Bye!',
  ],
};

/** What answers in place of a person: services that screen calls, and menus. */
const GATEKEEPER_LINES: Readonly<Record<string, readonly string[]>> = {
  'pt-BR': ['Diga seu nome e o motivo da ligação.', 'Para falar com um atendente, digite dois.'],
  'en-US': ['Please say your name and the reason for your call.', 'To speak to an agent, press two.'],
};

/** Every line the phrase book knows from the start. */
export function sandboxPhrases(): Phrase[] {
  const others = [VISITOR_LINES, GATEKEEPER_LINES].flatMap((book) =>
    Object.entries(book).flatMap(([language, lines]) => lines.map((text) => ({ text, language }))),
  );
  return [...personaLines(), ...others];
}
