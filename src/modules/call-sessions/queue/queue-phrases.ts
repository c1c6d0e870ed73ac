/** What a waiting caller hears, by ISO 639-1 code: as the next in line, and with so many callers before them. */
const PHRASES: Readonly<Record<string, readonly [string, (position: number) => string]>> = {
  pt: ['Você é o próximo da fila.', (position) => `Você está na posição ${position} da fila.`],
  en: ['You are next in line.', (position) => `You are number ${position} in line.`],
  es: [
    'Usted es el siguiente en la fila.',
    (position) => `Usted está en la posición ${position} de la fila.`,
  ],
  fr: [
    'Vous êtes le prochain dans la file d’attente.',
    (position) => `Vous êtes en position ${position} dans la file d’attente.`,
  ],
  de: [
    'Sie sind als Nächstes an der Reihe.',
    (position) => `Sie sind auf Platz ${position} der Warteschlange.`,
  ],
  it: ['Lei è il prossimo in coda.', (position) => `Lei è in posizione ${position} nella coda.`],
  nl: ['U bent als volgende aan de beurt.', (position) => `U bent nummer ${position} in de wachtrij.`],
  pl: [
    'Jest pan lub pani następną osobą w kolejce.',
    (position) => `Jest pan lub pani na pozycji ${position} w kolejce.`,
  ],
};

/**
 * @param language tag such as `pt-BR`
 * @returns null where we do not know the language: music alone is better than another one
 */
export function positionPhrase(language: string, position: number): string | null {
  const phrases = PHRASES[language.split('-', 1)[0]?.toLowerCase() ?? ''];
  if (!phrases) return null;
  return position === 1 ? phrases[0] : phrases[1](position);
}
