import type { VoiceGender } from '../speech-options.js';

/** Voices that speak the language of the line, whichever it is. */
export const AZURE_VOICES: Readonly<Record<VoiceGender, string>> = {
  female: 'en-US-AvaMultilingualNeural',
  male: 'en-US-AndrewMultilingualNeural',
};
