/** In place of a secret of which nothing may be read or counted. */
export const HIDDEN = '••••';
/** The same in a URL, which may hold no dots of that kind. */
const HIDDEN_IN_URL = '****';
const SHOWN_CHARACTERS = 4;
/** A secret so short that its end would give away much of it shows nothing. */
const SHORTEST_SHOWN = 12;

/** A secret as a read shows it: dots and its end, by which its owner recognizes it. */
export function masked(secret: string): string {
  return secret.length < SHORTEST_SHOWN ? HIDDEN : HIDDEN + secret.slice(-SHOWN_CHARACTERS);
}

/** A URL with the values of its query hidden; their names stay. */
export function maskedQuery(url: string): string {
  const start = url.indexOf('?') + 1;
  if (start === 0) return url;
  const hidden = partsOf(url.slice(start)).map(({ name, value }) => name + (value && HIDDEN_IN_URL));
  return url.slice(0, start) + hidden.join('&');
}

/** Whether a value of its query is hidden: the URL was read by a caller who may not see it. */
export function isMaskedUrl(url: string): boolean {
  const start = url.indexOf('?') + 1;
  return start > 0 && partsOf(url.slice(start)).some(({ value }) => value === HIDDEN_IN_URL);
}

/** Names end with their equals sign; a part without one is a value. */
function partsOf(query: string): { name: string; value: string }[] {
  return query.split('&').map((part) => {
    const end = part.indexOf('=') + 1;
    return { name: part.slice(0, end), value: part.slice(end) };
  });
}
