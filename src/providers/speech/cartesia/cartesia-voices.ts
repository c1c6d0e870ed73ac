import type { SynthesizerOptions, VoiceGender } from '../speech-options.js';
import { cartesiaLanguage } from './cartesia-api.js';

type VoicePair = Readonly<Record<VoiceGender, string>>;
/** Katie and Jameson. */
const ENGLISH: VoicePair = {
  female: 'f786b574-daa5-4673-aa0c-cbe3e8534c02',
  male: 'a5136bf9-224c-4d76-b823-52bd5efcffcc',
};
/** Voices whose own language it is; those of English speak every other one that the model knows. */
const VOICES: Readonly<Record<string, VoicePair>> = {
  // Luana and Felipe.
  pt: { female: '700d1ee3-a641-4018-ba6e-899dcadc9e2b', male: 'a37639f0-2f0a-4de4-9942-875a187af878' },
};

/** The voice of a gender for a language. */
export function cartesiaVoiceOf({
  gender = 'female',
  language,
}: Pick<SynthesizerOptions, 'gender' | 'language'>): string {
  return (VOICES[cartesiaLanguage(language)] ?? ENGLISH)[gender];
}
