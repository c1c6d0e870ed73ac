/** In place of a secret of which nothing may be read or counted. */
export const HIDDEN = '••••';
const SHOWN_CHARACTERS = 4;
/** A secret so short that its end would give away much of it shows nothing. */
const SHORTEST_SHOWN = 12;

/** A secret as a read shows it: dots and its end, by which its owner recognizes it. */
export function masked(secret: string): string {
  return secret.length < SHORTEST_SHOWN ? HIDDEN : HIDDEN + secret.slice(-SHOWN_CHARACTERS);
}
