import { describe, expect, it } from '@jest/globals';
import { makeToken } from './opaque-token.js';
import { sessionCookieOf } from './session-cookie.js';

const OWN = makeToken('prosa_sess_');
const OTHER = makeToken('prosa_sess_');
const host = (token: string) => `__Host-prosa_session=${token}`;
const plain = (token: string) => `prosa_session=${token}`;

describe('the session token of a cookie', () => {
  it.each([
    { scheme: 'https', cookie: host(OWN), token: OWN },
    { scheme: 'https', cookie: plain(OWN), token: null },
    { scheme: 'https', cookie: `${plain(OTHER)}; ${host(OWN)}`, token: OWN },
    { scheme: 'http', cookie: plain(OWN), token: OWN },
    { scheme: 'http', cookie: `${plain(OTHER)}; ${host(OWN)}`, token: OWN },
    { scheme: 'http', cookie: `${plain(OWN)}; ${plain(OTHER)}`, token: null },
    { scheme: 'http', cookie: `${plain('')}; ${plain(OWN)}`, token: null },
    { scheme: 'http', cookie: plain(makeToken('prosa_')), token: null },
    { scheme: 'http', cookie: undefined, token: null },
  ])('is read on $scheme: case %#', ({ scheme, cookie, token }) => {
    expect(sessionCookieOf({ cookie }, scheme === 'https')).toBe(token);
  });
});
