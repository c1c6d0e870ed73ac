import type { VoiceGender } from '../speech-options.js';

/** Voices that speak every language. */
export const GOOGLE_VOICES: Readonly<Record<VoiceGender, string>> = { female: 'Kore', male: 'Puck' };
