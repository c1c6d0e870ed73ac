// Sounds of customers while an assistant speaks, made by espeak-ng or by arithmetic; the same in each run.
import { spoken, joined, mixed, noise, tone } from '@prosa/testing';

export const LINE_RATE_HZ = 8_000;

export const KINDS = [
  'backchannel',
  'cough',
  'noise',
  'music',
  'second speaker',
  'question',
  'correction',
  'answer to a question',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Situation {
  readonly kind: Kind;
  readonly language: 'pt' | 'en';
  /** What the assistant says at that time. */
  readonly assistant: string;
  /** When the customer begins, after the assistant has begun. */
  readonly afterMs: number;
  readonly sound: Int16Array;
  /** What a recognizer makes of the sound; null: nothing. */
  readonly heard: string | null;
  /** Whether the assistant is to stop and answer. */
  readonly interrupts: boolean;
}

const STATEMENT = {
  pt: 'Primeiro o senhor escolhe o plano que quer, depois eu confirmo os seus dados, e por último marcamos a visita.',
  en: 'First you choose the plan that you want, then I confirm your details, and at the end we book the visit for you.',
};
const QUESTION = {
  pt: 'O senhor quer que eu marque a visita do técnico para a terça-feira de manhã?',
  en: 'Would you like me to book the visit of the technician for Tuesday morning?',
};
const VOICES = { pt: ['pt-br', 'pt-br+f2', 'pt-br+m3'], en: ['en-us', 'en-us+f3', 'en-gb'] };

const BACKCHANNELS = {
  pt: ['Uhum.', 'Aham.', 'Tá.', 'Sei.', 'Certo.', 'Uhum, tá.', 'É, é.', 'Entendi.', 'Tá bom.', 'Uhuuum.'],
  en: [
    'Uh-huh.',
    'Yeah.',
    'Right.',
    'Okay.',
    'Yeah, yeah.',
    'I see.',
    'Got it.',
    'Sure.',
    'Yes.',
    'Uh-huh, okay.',
  ],
};
const QUESTIONS = {
  pt: [
    'Quanto custa?',
    'Que horas?',
    'E no sábado?',
    'Tem outro plano mais barato?',
    'Quem está falando?',
    'Onde fica?',
  ],
  en: [
    'How much is it?',
    'What time?',
    'And on Saturday?',
    'Is there a cheaper plan?',
    'Who is calling?',
    'Where is it?',
  ],
};
const CORRECTIONS = {
  pt: ['Não.', 'Espera.', 'Não, é na terça.', 'Eu não quero isso.', 'Para, por favor.', 'Meu nome é outro.'],
  en: ['No.', 'Wait.', 'No, on Tuesday.', 'I do not want that.', 'Stop, please.', 'That is not my name.'],
};
const ANSWERS = {
  pt: ['Uhum.', 'Tá.', 'Sim.', 'Isso.', 'Claro.'],
  en: ['Yeah.', 'Okay.', 'Yes.', 'Sure.', 'Right.'],
};
/** What recognizers have been seen to write for noise; null where they write nothing. */
const WRITTEN_FOR_NOISE = {
  pt: [
    null,
    '.',
    'Legendas pela comunidade Amara.org',
    'Obrigado por assistir!',
    null,
    '[Música]',
    '(silêncio)',
    '...',
  ],
  en: [
    null,
    '.',
    'Thank you for watching!',
    'Subtitles by the Amara.org community',
    null,
    '[Music]',
    '[BLANK_AUDIO]',
    '...',
  ],
};
const BEHIND = {
  pt: ['O almoço está pronto', 'Desliga essa televisão', 'Vem cá', 'Gol do Brasil'],
  en: ['Dinner is ready', 'Turn that down', 'Come here', 'What a goal'],
};

export async function situations(): Promise<Situation[]> {
  return (await Promise.all((['pt', 'en'] as const).map(inLanguage))).flat();
}

async function inLanguage(language: 'pt' | 'en'): Promise<Situation[]> {
  const base = { language, assistant: STATEMENT[language], afterMs: 1_000 };
  const said = async (kind: Kind, texts: readonly string[], interrupts: boolean, more = {}) => {
    const all: Situation[] = [];
    for (const voice of VOICES[language])
      for (const text of texts)
        all.push({
          ...base,
          ...more,
          kind,
          heard: text,
          interrupts,
          sound: await spoken(text, LINE_RATE_HZ, voice),
        });
    return all;
  };
  const written = WRITTEN_FOR_NOISE[language];
  const made = (kind: Kind, sound: (index: number) => Int16Array, heard: (index: number) => string | null) =>
    written.map((_, index): Situation => {
      return { ...base, kind, heard: heard(index), interrupts: false, sound: sound(index) };
    });
  const asked = { assistant: QUESTION[language], afterMs: 1_500 };
  return [
    ...(await said('backchannel', BACKCHANNELS[language], false)),
    ...made('cough', cough, () => null),
    ...made('noise', rumble, (index) => written[index] ?? null),
    ...made('music', music, (index) => written[index] ?? null),
    ...(await behind(language, base)),
    ...(await said('question', QUESTIONS[language], true)),
    ...(await said('correction', CORRECTIONS[language], true)),
    ...(await said('answer to a question', ANSWERS[language], true, asked)),
  ];
}

/** A second person in the same room, 20 dB below the customer. Half of the recognizers understand the words. */
async function behind(
  language: 'pt' | 'en',
  base: Pick<Situation, 'language' | 'assistant' | 'afterMs'>,
): Promise<Situation[]> {
  const sounds = await Promise.all(
    BEHIND[language].map((text) => spoken(text, LINE_RATE_HZ, VOICES[language][1])),
  );
  return sounds.flatMap((sound, index) =>
    [null, BEHIND[language][index] ?? null].map((heard): Situation => {
      const quiet = sound.map((sample) => Math.round(sample / 10));
      return { ...base, kind: 'second speaker', heard, interrupts: false, sound: quiet };
    }),
  );
}

/** Two bursts that die away. */
function cough(index: number): Int16Array {
  const burst = (ms: number, seed: number) =>
    noise(LINE_RATE_HZ, ms, 0.5, seed).map((sample, at) => sample * Math.exp(-at / (LINE_RATE_HZ * 0.08)));
  return joined(burst(220 + index * 20, index + 1), burst(180 + index * 15, index + 9));
}

/** A street: noise without its high parts. */
function rumble(index: number): Int16Array {
  let last = 0;
  return noise(LINE_RATE_HZ, 600 + index * 150, 0.6, index + 30).map(
    (sample) => (last += (sample - last) * 0.15),
  );
}

/** A chord that goes up and down. */
function music(index: number): Int16Array {
  const notes = [262, 330, 392, 523].map((hz) => hz * (1 + index / 24));
  const part = (hz: number) =>
    mixed(tone(hz, LINE_RATE_HZ, 350, 0.2), tone(hz * 1.5, LINE_RATE_HZ, 350, 0.15));
  return joined(...notes.map(part));
}
