import { createHash, randomBytes } from 'node:crypto';
import { splitOutsideQuotes, unquote } from '../message/header-values.js';

/** RFC 8760: MD5 for what is old, SHA-256 for what is not. The order is our preference. */
export const DIGEST_ALGORITHMS = ['SHA-256', 'MD5'] as const;
export type DigestAlgorithm = (typeof DIGEST_ALGORITHMS)[number];

const HASHES: Readonly<Record<DigestAlgorithm, string>> = { 'SHA-256': 'sha256', MD5: 'md5' };

export interface DigestCredentials {
  readonly username: string;
  readonly password: string;
}

export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  /** Whether `qop=auth` is offered; without it the response is that of RFC 2069. */
  readonly qop: boolean;
  /** The nonce was too old, the credentials need not be wrong. */
  readonly stale: boolean;
}

export interface DigestResponseInput {
  readonly algorithm: DigestAlgorithm;
  readonly username: string;
  readonly realm: string;
  readonly password: string;
  readonly nonce: string;
  readonly method: string;
  readonly uri: string;
  /** Null without qop. */
  readonly qop: { readonly nonceCount: string; readonly clientNonce: string } | null;
}

/** The parameters of a `Digest …` header value; null for other schemes. */
export function parseDigestParameters(value: string): ReadonlyMap<string, string> | null {
  const match = /^\s*digest\s+/i.exec(value);
  if (!match) return null;
  const parameters = new Map<string, string>();
  for (const part of splitOutsideQuotes(value.slice(match[0].length), ',')) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    const name = part.slice(0, equals).trim().toLowerCase();
    if (!parameters.has(name)) parameters.set(name, unquote(part.slice(equals + 1).trim()));
  }
  return parameters;
}

/** The strongest of the challenges we can answer; null when there is none (only auth-int, other algorithms). */
export function chooseChallenge(values: readonly string[]): DigestChallenge | null {
  const challenges = values.flatMap((value) => parseChallenge(value) ?? []);
  for (const algorithm of DIGEST_ALGORITHMS) {
    const found = challenges.find((challenge) => challenge.algorithm === algorithm);
    if (found) return found;
  }
  return null;
}

/** The value of Authorization or Proxy-Authorization for a challenge (RFC 7616 §3.4). */
export function answerChallenge(
  challenge: DigestChallenge,
  request: { readonly method: string; readonly uri: string },
  credentials: DigestCredentials,
  clientNonce = randomBytes(8).toString('hex'),
): string {
  const qop = challenge.qop ? { nonceCount: '00000001', clientNonce } : null;
  const response = digestResponse({ ...challenge, ...request, ...credentials, qop });
  const parts = [
    `username="${escape(credentials.username)}"`,
    `realm="${escape(challenge.realm)}"`,
    `nonce="${escape(challenge.nonce)}"`,
    `uri="${request.uri}"`,
    `response="${response}"`,
    `algorithm=${challenge.algorithm}`,
  ];
  if (qop) parts.push(`qop=auth`, `cnonce="${qop.clientNonce}"`, `nc=${qop.nonceCount}`);
  if (challenge.opaque !== null) parts.push(`opaque="${escape(challenge.opaque)}"`);
  return `Digest ${parts.join(', ')}`;
}

export function digestResponse(input: DigestResponseInput): string {
  const hash = (text: string) => createHash(HASHES[input.algorithm]).update(text, 'latin1').digest('hex');
  const user = `${latin1(input.username)}:${latin1(input.realm)}:${latin1(input.password)}`;
  const qop = input.qop ? `:${input.qop.nonceCount}:${input.qop.clientNonce}:auth` : '';
  return hash(`${hash(user)}:${input.nonce}${qop}:${hash(`${input.method}:${input.uri}`)}`);
}

function parseChallenge(value: string): DigestChallenge | null {
  const parameters = parseDigestParameters(value);
  const realm = parameters?.get('realm');
  const nonce = parameters?.get('nonce');
  const named = (parameters?.get('algorithm') ?? 'MD5').toUpperCase();
  const algorithm = DIGEST_ALGORITHMS.find((known) => known === named);
  if (!parameters || realm === undefined || nonce === undefined || !algorithm) return null;
  const offered = parameters.get('qop');
  const qop = offered?.split(',').some((option) => option.trim().toLowerCase() === 'auth') ?? false;
  if (offered !== undefined && offered !== '' && !qop) return null;
  const stale = parameters.get('stale')?.toLowerCase() === 'true';
  return { realm, nonce, algorithm, qop, stale, opaque: parameters.get('opaque') ?? null };
}

/** Credentials are typed as text and hashed as UTF-8 bytes; what a peer sent is in bytes already. */
function latin1(text: string): string {
  return /[^\0-\xff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

function escape(text: string): string {
  return latin1(text).replace(/["\\]/g, '\\$&');
}
