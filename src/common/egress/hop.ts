import { CONNECTION_HEADERS } from './connection-headers.js';
import { EgressError } from './egress-error.js';

export type EgressMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request on the wire; following a redirect makes the next one out of it. */
export interface Hop {
  url: URL;
  method: EgressMethod;
  /** Names in lower case. */
  headers: ReadonlyMap<string, string>;
  body: string | Uint8Array | undefined;
}

/** The only headers that another origin may see: any other may carry a secret under any name. */
const HEADERS_FOR_ANY_ORIGIN: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-type',
  'user-agent',
]);

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Parses the URL of a request or a redirect; only http and https without credentials pass. */
export function parseTarget(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new EgressError('invalid-url', 'The URL is not valid.');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError('invalid-url', 'Only http and https URLs are allowed.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('invalid-url', 'A URL with a user name or a password is not allowed.');
  }
  return url;
}

export function firstHop(request: {
  url: string;
  method: EgressMethod;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}): Hop {
  const headers = new Map([['user-agent', 'Prosa']]);
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lowerCased = name.toLowerCase();
    if (!CONNECTION_HEADERS.has(lowerCased)) headers.set(lowerCased, value);
  }
  return { url: parseTarget(request.url), method: request.method, headers, body: request.body };
}

/** The hop a redirect asks for (RFC 9110, 15.4), or null when the answer is not a redirect. */
export function nextHop(hop: Hop, status: number, location: string | undefined): Hop | null {
  if (location === undefined || !REDIRECT_STATUSES.has(status)) return null;
  const url = parseTarget(location, hop.url);
  const headers = new Map(
    [...hop.headers].filter(([name]) => url.origin === hop.url.origin || HEADERS_FOR_ANY_ORIGIN.has(name)),
  );
  if (!becomesGet(hop.method, status)) return { ...hop, url, headers };
  headers.delete('content-type');
  return { url, method: 'GET', headers, body: undefined };
}

function becomesGet(method: EgressMethod, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}
