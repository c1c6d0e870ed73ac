import { createHash } from 'node:crypto';
import type { Request } from 'express';
import ipaddr from 'ipaddr.js';
import { hashToken, prefixOf } from '../auth/opaque-token.js';
import { sendsBearerToken, sessionCookieOf } from '../auth/session-cookie.js';

/** What the operator's own tools ask. */
const UNLIMITED = /^\/(health|metrics|docs(-json|-yaml)?)(\/|$)/i;

/** A caller with IPv6 has a whole /64 to himself. */
const IPV6_PREFIX_PARTS = 4;
/** What an organisation has of IPv6. */
const IPV6_NETWORK_PARTS = 3;
const HASH_CHARACTERS = 32;

export function isLimited({ path }: Request): boolean {
  return !UNLIMITED.test(path);
}

/** Who a request is counted for, by its address. Behind proxies `req.ip` is the client's as TRUST_PROXY says. */
export function addressOf({ ip }: Pick<Request, 'ip'>): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  return `${parts
    .slice(0, IPV6_PREFIX_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

/** Where a request comes from, without the part of the address that names one machine or household. */
export function networkOf({ ip }: Pick<Request, 'ip'>): string {
  if (ip === undefined || !ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return `${address.toString().split('.').slice(0, 3).join('.')}.0/24`;
  const { parts } = address as ipaddr.IPv6;
  return `${parts
    .slice(0, IPV6_NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':')}::/48`;
}

/**
 * The token that speaks for a request, as a hash; null without a well-formed one. As for the guards, a bearer token wins,
 * even a wrong one, and nothing else of a request is a token but the cookie. Known before the database is asked. Null for a
 * publishable key: all visitors of a page send the same one, and one of them could use up the quota of the others.
 */
export function tokenOf({ headers, secure }: Request): string | null {
  const [, credentials = ''] = (headers.authorization ?? '').split(' ');
  const token = sendsBearerToken(headers) ? credentials : sessionCookieOf(headers, secure);
  const prefix = token === null ? null : prefixOf(token);
  if (token === null || prefix === null || prefix === 'prosa_pub_') return null;
  return hashToken(token).toString('hex').slice(0, HASH_CHARACTERS);
}

/** The e-mail a login is tried for, tied to the address it is tried from; null when none is sent. */
export function loginOf(request: Request): string | null {
  const body: unknown = request.body;
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : undefined;
  if (typeof email !== 'string') return null;
  const login = `${addressOf(request)} ${email.trim().toLowerCase()}`;
  return createHash('sha256').update(login).digest('hex').slice(0, HASH_CHARACTERS);
}
