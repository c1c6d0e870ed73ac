import type { VoiceResponse } from '#client/types.gen.js';

/** What of a voice is filtered in the browser: the server has chosen those of the language. */
interface Wanted {
  readonly search: string;
  readonly vendorId: number | null;
}

/** Whether a voice is of the vendor and has every word of the search in its name or description. */
export function fits(
  { name, accent, age, synthesizer_provider_id: vendor }: VoiceResponse,
  { search, vendorId }: Wanted,
): boolean {
  if (vendorId !== null && vendor !== vendorId) return false;
  const text = plain([name, accent, age].filter((part) => part !== null).join(' '));
  return plain(search)
    .split(' ')
    .every((word) => text.includes(word));
}

/** Without accents and capitals, as people type in a hurry. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}
