import { ENGLISH } from './phrases/english.js';
import { FRENCH } from './phrases/french.js';
import { GERMAN } from './phrases/german.js';
import { ITALIAN } from './phrases/italian.js';
import type { MachinePhrases } from './phrases/machine-phrases.js';
import { Phrase, wordsOf } from './phrases/phrase.js';
import { PORTUGUESE } from './phrases/portuguese.js';
import { SPANISH } from './phrases/spanish.js';

/** Of a longer text the end is read: a recording that has been known by no word so far. */
const MAX_WORDS = 120;

/** Most mailboxes ask for a message: that counts as much as two other phrases. */
const INVITATION = 2;

type PhraseKind = keyof MachinePhrases;

/** Whose language it is, is not known: a network may speak another one than the assistant. */
const LANGUAGES: readonly MachinePhrases[] = [PORTUGUESE, ENGLISH, SPANISH, FRENCH, GERMAN, ITALIAN];
const KINDS: readonly PhraseKind[] = [
  'recorder',
  'leaveMessage',
  'tone',
  'announcement',
  'personal',
  'ambiguous',
  'menu',
  'screening',
  'asksName',
  'person',
];
const PHRASES = new Map(
  KINDS.map((kind) => [
    kind,
    LANGUAGES.map((language) => language[kind].map((pattern) => new Phrase(pattern))),
  ]),
);

/** What the words of the far end say about who speaks. */
export interface WordSigns {
  /** `recorder`: a mailbox that is going to record; `announcement`: a recording of the network. Neither: a person may have said it. */
  readonly recording: 'recorder' | 'announcement' | null;
  /** How many phrases there are that mailboxes use, and people as well. */
  readonly ambiguous: number;
  readonly gatekeeper: 'menu' | 'screening' | null;
  /** Whether it names more than one key. */
  readonly isLongMenu: boolean;
  readonly isPerson: boolean;
}

/** Words may be the beginning of more: what a text is taken for may change as it grows. */
export function signsOf(text: string): WordSigns {
  const words = wordsOf(text).slice(-MAX_WORDS);
  const count = (kind: PhraseKind) => countIn(words, kind);
  const invitations = count('leaveMessage');
  const tones = count('tone');
  const isScreening = count('screening') > 0;
  const isRecorder = !isScreening && (count('recorder') > 0 || (invitations > 0 && tones > 0));
  const asksName = isScreening || (!isRecorder && count('asksName') > 0);
  const menus = count('menu');
  const isAnnouncement = count('announcement') > 0 && count('personal') === 0;
  const recording = isRecorder ? 'recorder' : isAnnouncement ? 'announcement' : null;
  return {
    recording,
    ambiguous: (invitations > 0 ? INVITATION : 0) + Math.min(tones, 1) + count('ambiguous'),
    gatekeeper: asksName ? 'screening' : menus > 0 ? 'menu' : null,
    isLongMenu: menus > 1,
    isPerson: recording === null && count('person') > 0,
  };
}

/** In the language with the most of them: some words are of two languages. */
function countIn(words: readonly string[], kind: PhraseKind): number {
  const languages = PHRASES.get(kind) ?? [];
  return Math.max(...languages.map((phrases) => phrases.filter((phrase) => phrase.isIn(words)).length));
}
