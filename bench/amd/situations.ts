import { readFileSync } from 'node:fs';
import { CLEAN, type Condition, CONDITIONS, music, silence, type Speaker, spoken, tone } from './sounds.js';

export type Truth = 'human' | 'machine' | 'menu' | 'screening' | 'other';
export const SETS = ['tuning', 'held-out'] as const;
export type SentenceSet = (typeof SETS)[number];

/** A stretch of sound of the far end; without words it is none of speech. */
export interface Stretch {
  readonly samples: Int16Array;
  readonly text: string;
  /** Silence before it. */
  readonly afterMs: number;
}

export interface Situation {
  readonly name: string;
  readonly set: SentenceSet;
  readonly truth: Truth;
  readonly kind: string;
  readonly language: string;
  readonly condition: Condition;
  /** What comes by itself: all of a recording, the first words of a person. */
  readonly script: readonly Stretch[];
  /** What a person says afterwards, one after each turn of the assistant. */
  readonly replies: readonly Stretch[];
  readonly talksOver: boolean;
  /** Words come as they are said, or whole after the end. */
  readonly isStreaming: boolean;
  readonly seed: number;
}

type Sentences = Record<Exclude<Truth, 'other'>, Record<string, readonly (readonly string[])[]>>;

const VOICES: Readonly<Record<string, string>> = {
  pt: 'pt-br',
  en: 'en-us',
  es: 'es-419',
  fr: 'fr-fr',
  de: 'de',
  it: 'it',
};
const VARIANTS = ['', '+f2', '+m3', '+f4', '+m7', '+f5'];
/** What a person says to whatever else is asked. */
const CLOSINGS: Readonly<Record<string, readonly string[]>> = {
  pt: ['Sim, pode ser.', 'Está bem, obrigado.'],
  en: ['Yes, that works.', 'All right, thank you.'],
  es: ['Sí, está bien.', 'Muchas gracias.'],
  fr: ["Oui, d'accord.", 'Merci bien.'],
  de: ['Ja, das passt.', 'Vielen Dank.'],
  it: ['Sì, va bene.', 'Grazie mille.'],
};
const BEEPS = [
  () => tone(1_000, 400),
  () => tone(1_400, 500),
  () => tone(810, 300, 0.12),
  () => tone(2_000, 250),
  () => tone(620, 1_000),
  () => tone(1_004, 200, 0.3, 0.15),
  () => tone(440, 500),
  () => tone(2_350, 180),
];
/** @param takes how many recordings are made of each sentence, each with another voice and line */
export function situationsOf(set: SentenceSet, takes: number): Situation[] {
  const url = new URL(`sentences/${set}.json`, import.meta.url);
  const sentences = JSON.parse(readFileSync(url, 'utf8')) as Sentences;
  const made: Situation[] = [];
  for (const [truth, languages] of Object.entries(sentences))
    for (const [language, entries] of Object.entries(languages))
      for (const [kind = '', ...lines] of entries)
        for (let take = 0; take < takes; take++)
          made.push(situationOf({ set, truth: truth as Truth, language, kind, lines }, made.length));
  return [...made, ...othersOf(set, made.length)];
}

interface Entry extends Pick<Situation, 'set' | 'truth' | 'language' | 'kind'> {
  readonly lines: readonly string[];
}

function situationOf({ lines, ...entry }: Entry, index: number): Situation {
  const isHuman = entry.truth === 'human';
  const speaker = speakerOf(entry, index);
  const stretch = (text: string, afterMs: number) => ({ samples: spoken(text, speaker), text, afterMs });
  const firstMs = 300 + ((index * 370) % 1_300);
  const pauseMs = 350 + ((index * 230) % 700);
  const [first = '', ...rest] = lines;
  const replies = [...rest, ...(CLOSINGS[entry.language] ?? [])];
  const recording = lines.map((line, at) => stretch(line, at === 0 ? firstMs : pauseMs));
  return {
    ...entry,
    name: lines.join(' '),
    condition: CONDITIONS[(index * 5 + Math.floor(index / 6)) % CONDITIONS.length] ?? CLEAN,
    script: isHuman ? [stretch(first, firstMs)] : [...recording, ...endOf(entry, recording, index)],
    replies: isHuman ? replies.map((line) => stretch(line, 300 + ((index * 170) % 900))) : [],
    talksOver: entry.kind === 'talks over',
    isStreaming: index % 2 === 0,
    seed: index + 1,
  };
}

function speakerOf({ language, kind }: Pick<Situation, 'language' | 'kind'>, index: number): Speaker {
  const voice = `${VOICES[language]}${VARIANTS[index % VARIANTS.length]}`;
  const pitch = kind === 'child' ? 95 : 30 + ((index * 17) % 45);
  return { voice, pitch, wordsAMinute: 150 + ((index * 13) % 50) };
}

/** Mailboxes beep, and are silent; networks say it again; menus wait. */
function endOf(
  { truth, kind }: Pick<Entry, 'truth' | 'kind'>,
  recording: readonly Stretch[],
  index: number,
): Stretch[] {
  if (truth === 'menu' || truth === 'screening' || kind === 'full') return [];
  if (kind === 'network')
    return recording.map((again, at) => (at === 0 ? { ...again, afterMs: 1_500 } : again));
  // One mailbox in six only falls silent.
  if (index % 6 === 5) return [];
  const beep = BEEPS[index % BEEPS.length];
  return [{ samples: beep?.() ?? silence(0), text: '', afterMs: 300 + ((index * 110) % 800) }];
}

/** What no set of sentences has: no language, and for `other` no hang-up is right, or any is. */
function othersOf(set: SentenceSet, from: number): Situation[] {
  const base = { set, language: 'none', condition: CLEAN, talksOver: false, isStreaming: true, replies: [] };
  const person = { voice: 'pt-br+f3', wordsAMinute: 170, pitch: 50 };
  const say = (text: string, afterMs: number) => ({ samples: spoken(text, person), text, afterMs });
  const sound = (samples: Int16Array, afterMs: number) => ({ samples, text: '', afterMs });
  const shift = set === 'tuning' ? 0 : 15;
  const all: (Pick<Situation, 'truth' | 'kind' | 'name' | 'script'> & Partial<Situation>)[] = [
    {
      truth: 'machine',
      kind: 'fax',
      name: 'fax answers',
      script: [sound(tone(2_100 + shift / 2, 3_000), 900)],
    },
    {
      truth: 'machine',
      kind: 'information tones',
      name: 'three rising tones and words that no list has',
      script: [
        sound(tone(950, 330), 300),
        sound(tone(1_400, 330), 20),
        sound(tone(1_800, 330), 20),
        say('Zero um, zero dois, quatro.', 400),
      ],
    },
    { truth: 'other', kind: 'music', name: 'hold music', script: [sound(music(30_000), 400)] },
    {
      truth: 'human',
      kind: 'music',
      name: 'music, and then a person',
      script: [sound(music(8_000), 400), say('Alô, pois não, quem fala?', 1_200)],
      replies: [say('Sim, pode ser.', 500), say('Obrigada.', 500)],
    },
    {
      truth: 'human',
      kind: 'transfer',
      name: 'a receptionist connects, and it rings',
      script: [say('Bom dia, Laticínios Serra Verde, um momento por favor.', 500)],
      replies: [
        sound(tone(425 + shift, 1_000), 1_200),
        sound(tone(425 + shift, 1_000), 4_000),
        say('Setor de compras, boa tarde.', 1_500),
        say('Sim, pode falar.', 500),
      ],
    },
    {
      truth: 'human',
      kind: 'call waiting',
      name: 'a beep of call waiting between the words of a person',
      script: [say('Alô, boa tarde.', 500), sound(tone(440, 300), 1_500)],
      replies: [say('Sim, pode falar.', 500), say('Sexta está bom.', 500), say('Obrigada.', 500)],
    },
    {
      truth: 'human',
      kind: 'recorded line',
      name: 'a company that records, with a beep',
      script: [
        say('Transportadora Rápido Sul, boa tarde, aqui é a Camila.', 400),
        sound(tone(1_400 - shift, 500), 900),
      ],
      replies: [say('Qual é o número da nota?', 500), say('Pode mandar por e-mail.', 500)],
    },
    { truth: 'other', kind: 'silence', name: 'nothing at all', script: [sound(silence(20_000), 0)] },
  ];
  return all.map((other, index) => ({ ...base, ...other, seed: from + index + 1 }));
}
