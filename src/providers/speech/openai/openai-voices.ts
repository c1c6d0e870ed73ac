import type { VoiceGender } from '../speech-options.js';

/** Voices that speak every language. */
export const OPENAI_VOICES: Readonly<Record<VoiceGender, string>> = { female: 'marin', male: 'cedar' };
