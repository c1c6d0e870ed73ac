import type { IncomingHttpHeaders } from 'node:http';
import { prefixOf } from './opaque-token.js';

export const SESSION_COOKIE = 'prosa_session';
/** On https. Browsers take a cookie of this prefix from this host alone, so that no sibling domain can set one. */
export const HOST_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

const BEARER_TOKEN = /^\s*bearer\s+\S/i;

/** Whether a bearer token is sent, right or wrong; a header of another scheme is none. */
export function sendsBearerToken({ authorization }: IncomingHttpHeaders): boolean {
  return BEARER_TOKEN.test(authorization ?? '');
}

/**
 * The session token of the cookie; null where none of right form is sent. An API key in a cookie is none. Of two cookies
 * with the same name one may come from a sibling domain, so neither counts. Nor does `prosa_session` on https.
 */
export function sessionCookieOf({ cookie = '' }: IncomingHttpHeaders, isSecure: boolean): string | null {
  const ofHost = valuesOf(HOST_SESSION_COOKIE, cookie);
  const isPlain = ofHost.length === 0 && !isSecure;
  const [token = '', second] = isPlain ? valuesOf(SESSION_COOKIE, cookie) : ofHost;
  return second === undefined && prefixOf(token) === 'prosa_sess_' ? token : null;
}

/** The value of a cookie; null where it is not sent, or twice: one of the two may come from a sibling domain. */
export function cookieOf(name: string, { cookie = '' }: IncomingHttpHeaders): string | null {
  const [value, second] = valuesOf(name, cookie);
  return value === undefined || second !== undefined ? null : decodeURIComponent(value);
}

function valuesOf(name: string, cookie: string): string[] {
  const pairs = cookie.split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}
