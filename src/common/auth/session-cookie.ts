import type { IncomingHttpHeaders } from 'node:http';
import { prefixOf } from './opaque-token.js';

export const SESSION_COOKIE = 'prosa_session';

const COOKIE = new RegExp(`(?:^|;)\\s*${SESSION_COOKIE}=([^;]*)`);
const BEARER_TOKEN = /^\s*bearer\s+\S/i;

/** Whether a bearer token is sent, right or wrong; a header of another scheme is none. */
export function sendsBearerToken({ authorization }: IncomingHttpHeaders): boolean {
  return BEARER_TOKEN.test(authorization ?? '');
}

/** The session token of the cookie; null where none of right form is sent. An API key in a cookie is none. */
export function sessionCookieOf({ cookie }: IncomingHttpHeaders): string | null {
  const token = COOKIE.exec(cookie ?? '')?.[1]?.trim() ?? '';
  return prefixOf(token) === 'prosa_sess_' ? token : null;
}
