/** What a person does when it is their turn: says something, presses keys, hangs up, in this order. */
export interface PersonaReply {
  readonly say?: string;
  readonly press?: string;
  /** `instead`: in the middle of what the other side is saying. */
  readonly hangUp?: 'afterwards' | 'instead';
}

/** How a persona changes the sound of a call; it has no effect on a line of text. */
export type PersonaManner = 'talks-over' | 'coughs' | 'noisy-street';

/** Who is at the far end of a sandbox call. */
export interface SandboxPersona {
  readonly answers: 'human' | 'machine' | 'busy' | 'no-answer' | 'failed';
  /** First words, when the other side does not speak first; what a machine says; null says nothing. */
  readonly opening: string | null;
  /** One for each time the other side has spoken. Afterwards the person is silent. */
  readonly replies: readonly PersonaReply[];
  /** What is said into a long silence before giving up; null waits for ever. */
  readonly nudge: string | null;
  readonly manner?: PersonaManner;
}

type SandboxLanguage = 'pt' | 'en';

const LANGUAGE_TAGS: Readonly<Record<SandboxLanguage, string>> = { pt: 'pt-BR', en: 'en-US' };

/** The keys of a persona that enters a number, with the key that ends it. */
const PRESSED = '42#';

const PORTUGUESE_SPEAKING = ['+55', '+351', '+244', '+258', '+238', '+239', '+245'];

interface Phrases {
  readonly hello: string;
  readonly nudge: string;
  readonly voicemail: string;
  readonly scripts: readonly (readonly string[])[];
}

const PHRASES: Readonly<Record<SandboxLanguage, Phrases>> = {
  pt: {
    hello: 'Alô?',
    nudge: 'Alô? Tem alguém aí?',
    voicemail: 'Olá, não posso atender agora. Deixe seu recado após o sinal.',
    scripts: [
      ['Oi, sou eu sim.', 'Pode falar, estou ouvindo.', 'Certo, obrigado. Tchau!'],
      ['Sim, quem fala?', 'Tenho interesse, pode me explicar melhor?', 'Combinado. Até logo!'],
      ['Sim, mas estou sem tempo agora.', 'Não tenho interesse, obrigado. Tchau!'],
    ],
  },
  en: {
    hello: 'Hello?',
    nudge: 'Hello? Is anybody there?',
    voicemail: 'Hello, I cannot take your call now. Please leave a message after the tone.',
    scripts: [
      ['Hi, yes, speaking.', 'Go ahead, I am listening.', 'All right, thank you. Bye!'],
      ['Yes, who is this?', 'I am interested, can you tell me more?', 'Agreed. Goodbye!'],
      ['Yes, but I have no time now.', 'I am not interested, thank you. Bye!'],
    ],
  },
};

/**
 * Who answers a number, by its last two digits:
 *
 * - 01 is busy, 02 does not answer, 03 is a voicemail, 04 fails at the carrier
 * - 05 hangs up in the middle, 06 is busy at each odd dial and answers at each even one
 * - 07 talks over the other side, 08 coughs while the other side speaks, 09 is in a noisy street
 * - 10 presses keys after the first words
 * - 00 and all others are people with a short script, in Portuguese where it is spoken and else in English
 *
 * @param e164 the number
 * @param dial how often the number has been dialled, this time included
 */
export function personaOf(e164: string, dial: number): SandboxPersona {
  const phrases = PHRASES[spokenAt(e164)];
  const person = personOf(phrases, Number(e164.slice(-2)));
  switch (e164.slice(-2)) {
    case '01':
      return silent('busy');
    case '02':
      return silent('no-answer');
    case '03':
      return { ...silent('machine'), opening: phrases.voicemail };
    case '04':
      return silent('failed');
    case '05':
      return { ...person, replies: [...person.replies.slice(0, 1), { hangUp: 'instead' }] };
    case '06':
      return dial % 2 === 1 ? silent('busy') : person;
    case '07':
      return { ...person, manner: 'talks-over' };
    case '08':
      return { ...person, manner: 'coughs' };
    case '09':
      return { ...person, manner: 'noisy-street' };
    case '10':
      return { ...person, replies: pressing(person.replies) };
    default:
      return person;
  }
}

/** The key that a person is asked to press, who does so; null where no key is asked for. */
export function keyAskedFor(words: string): string | null {
  return /\b(?:tecle|press) (\d)\b/i.exec(words)?.[1] ?? null;
}

/** What is spoken at a number, as a language tag. */
export function languageOf(e164: string): string {
  return LANGUAGE_TAGS[spokenAt(e164)];
}

/** Every line that a remote party of a sandbox call may say, with its language tag. */
export function personaLines(): { readonly text: string; readonly language: string }[] {
  return (['pt', 'en'] as const).flatMap((language) => {
    const { hello, nudge, voicemail, scripts } = PHRASES[language];
    const tag = LANGUAGE_TAGS[language];
    return [...new Set([hello, nudge, voicemail, ...scripts.flat()])].map((text) => ({
      text,
      language: tag,
    }));
  });
}

function spokenAt(e164: string): SandboxLanguage {
  return PORTUGUESE_SPEAKING.some((code) => e164.startsWith(code)) ? 'pt' : 'en';
}

function pressing([first, ...later]: readonly PersonaReply[]): PersonaReply[] {
  return [{ ...first, press: PRESSED }, ...later];
}

function personOf({ hello, nudge, scripts }: Phrases, lastDigits: number): SandboxPersona {
  const script = scripts[lastDigits % scripts.length] ?? [];
  const replies = script.map((say, index): PersonaReply =>
    index === script.length - 1 ? { say, hangUp: 'afterwards' } : { say },
  );
  return { answers: 'human', opening: hello, replies, nudge };
}

function silent(answers: SandboxPersona['answers']): SandboxPersona {
  return { answers, opening: null, replies: [], nudge: null };
}
