import type { VoiceGender } from '../speech-options.js';

/** Languages that espeak-ng calls otherwise, and those for which one region is meant. */
const VOICES: Readonly<Record<string, string>> = {
  en: 'en-us',
  pt: 'pt-br',
  'pt-pt': 'pt',
  zh: 'cmn',
  no: 'nb',
  tl: 'id',
};

/** A variant of espeak-ng's voice. Without one it is a man's. */
const FEMALE_VARIANT = '+f3';

/**
 * What espeak-ng calls a voice.
 *
 * @param language a tag such as `pt-BR` or `pt`
 */
export function espeakVoice(language: string, gender: VoiceGender = 'male'): string {
  const tag = language.toLowerCase();
  const base = tag.split('-', 1)[0] ?? tag;
  const known = ['en-us', 'en-gb', 'pt-br', 'es-419', 'fr-be', 'fr-ch'];
  const voice = VOICES[tag] ?? (known.includes(tag) ? tag : (VOICES[base] ?? base));
  return gender === 'female' ? `${voice}${FEMALE_VARIANT}` : voice;
}
