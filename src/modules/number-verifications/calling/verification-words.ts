import { randomInt } from 'node:crypto';
import type { Phrase } from '../../../runtime/call/announcements/announcer.js';
import type { VerificationLanguage } from '../number-verification.entity.js';

/** Between digits, so that the listener can write them down. */
const DIGIT_PAUSE_MS = 700;
const SENTENCE_PAUSE_MS = 400;

/** Where Portuguese is spoken; elsewhere the words are English. */
const PORTUGUESE: ReadonlySet<string> = new Set(['AO', 'BR', 'CV', 'GW', 'MZ', 'PT', 'ST']);

/** Tags for voices. */
export const LANGUAGE_TAGS: Readonly<Record<VerificationLanguage, string>> = { pt: 'pt-BR', en: 'en-US' };

interface Words {
  /** Nothing of it is the account's to choose: it must not become a way to say things to strangers. */
  readonly about: readonly string[];
  readonly press: (key: string) => string;
  readonly code: string;
  readonly again: string;
  readonly warning: string;
}

const WORDS: Readonly<Record<VerificationLanguage, Words>> = {
  pt: {
    about: [
      'Olá. Esta é uma ligação automática para confirmar este número de telefone.',
      'Alguém pediu um código para mostrar este número em suas ligações.',
      'Se não foi você, desligue e não faça mais nada.',
    ],
    press: (key) => `Para ouvir o código, tecle ${key}.`,
    code: 'O código é:',
    again: 'Repetindo:',
    warning: 'Não diga este código a quem ligar ou escrever para você. Até logo.',
  },
  en: {
    about: [
      'Hello. This is an automatic call to confirm this phone number.',
      'Someone asked for a code to show this number on their calls.',
      'If it was not you, hang up and do nothing else.',
    ],
    press: (key) => `To hear the code, press ${key}.`,
    code: 'The code is:',
    again: 'Once more:',
    warning: 'Do not tell this code to anybody who calls or writes to you. Goodbye.',
  },
};

/** What is spoken where a number is at home. @param countryCode ISO 3166-1 alpha-2 */
export function languageOfCountry(countryCode: string): VerificationLanguage {
  return PORTUGUESE.has(countryCode) ? 'pt' : 'en';
}

/** A random key, so that neither a mailbox nor its recorded greeting can press it. */
export function chooseKey(): string {
  return String(randomInt(1, 10));
}

/** Spoken to the person who answers. */
export function question(language: VerificationLanguage, key: string): Phrase[] {
  const { about, press } = WORDS[language];
  return [...about, press(key)].map((text) => ({ text, pauseMs: SENTENCE_PAUSE_MS }));
}

/** The same once more, where no key was pressed. */
export function shortQuestion(language: VerificationLanguage, key: string): Phrase[] {
  return [{ text: WORDS[language].press(key) }];
}

/** The code, digit by digit and twice. */
export function spokenCode(language: VerificationLanguage, code: string): Phrase[] {
  const { code: before, again, warning } = WORDS[language];
  const digits = code.split('').map((text) => ({ text, pauseMs: DIGIT_PAUSE_MS }));
  const says = (text: string) => ({ text, pauseMs: SENTENCE_PAUSE_MS });
  return [says(before), ...digits, says(again), ...digits, says(warning)];
}

/** What the code of a verification is for. */
export function codePurpose(verificationId: number): string {
  return `number verification ${verificationId}`;
}
