import { baseLanguage } from '../vendor-provider.js';

/** Where the API is, and its key. */
export interface CartesiaAccess {
  readonly apiKey: string;
  readonly baseUrl: string;
}

export const CARTESIA_URL = 'https://api.cartesia.ai';

/** The version of the API that requests are written for. */
const API_VERSION = '2025-04-16';

export function cartesiaHeaders(apiKey: string): Readonly<Record<string, string>> {
  return { 'X-API-Key': apiKey, 'Cartesia-Version': API_VERSION };
}

/** Codes of ISO 639-1 where tags of the catalogue have others. */
const LANGUAGES: Readonly<Record<string, string>> = { nb: 'no', fil: 'tl' };

/** @param tag such as `pt-BR` */
export function cartesiaLanguage(tag: string): string {
  const base = baseLanguage(tag);
  return LANGUAGES[base] ?? base;
}
