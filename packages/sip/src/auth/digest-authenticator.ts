import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { SipRequest } from '../message/sip-message.js';
import { DIGEST_ALGORITHMS, type DigestAlgorithm, digestResponse, parseDigestParameters } from './digest.js';

/** How long a nonce may be used. */
const NONCE_LIFE_MS = 5 * 60_000;
/** Nonces of which the highest count is remembered; older ones can be replayed only within their life. */
const REMEMBERED_NONCES = 20_000;

export type DigestVerdict =
  | { readonly kind: 'ok'; readonly username: string; readonly password: string }
  | { readonly kind: 'challenge'; readonly stale: boolean };

/**
 * Checks the digest of requests that come in (RFC 8760, RFC 7616). A challenge costs no memory: the nonce carries its own
 * time and proof.
 */
export class DigestAuthenticator {
  private readonly secret = randomBytes(32);
  private readonly counts = new LRUCache<string, number>({ max: REMEMBERED_NONCES, ttl: NONCE_LIFE_MS });

  /**
   * @param passwordsOf the passwords of every trunk with this user name, which several may share; empty for an
   *   unknown name
   * @param algorithms offered and taken
   */
  constructor(
    readonly realm: string,
    private readonly passwordsOf: (username: string) => readonly string[],
    private readonly algorithms: readonly DigestAlgorithm[] = DIGEST_ALGORITHMS,
    private readonly nowMs: () => number = Date.now,
  ) {}

  /** The values of WWW-Authenticate, in the order of preference (RFC 8760 §2.3). */
  challenge(sourceAddress: string, stale: boolean): readonly string[] {
    const nonce = this.nonceFor(sourceAddress);
    return this.algorithms.map(
      (algorithm) =>
        `Digest realm="${this.realm}", nonce="${nonce}", algorithm=${algorithm}, qop="auth"${stale ? ', stale=true' : ''}`,
    );
  }

  verify(request: SipRequest, sourceAddress: string): DigestVerdict {
    for (const value of request.headers.all('authorization').slice(0, 4)) {
      const parameters = parseDigestParameters(value);
      if (parameters?.get('realm') !== this.realm) continue;
      return this.verifyParameters(parameters, request, sourceAddress);
    }
    return { kind: 'challenge', stale: false };
  }

  private verifyParameters(
    parameters: ReadonlyMap<string, string>,
    request: SipRequest,
    sourceAddress: string,
  ): DigestVerdict {
    const refused = { kind: 'challenge', stale: false } as const;
    const algorithm = this.algorithms.find(
      (known) => known === (parameters.get('algorithm') ?? 'MD5').toUpperCase(),
    );
    const username = parameters.get('username') ?? '';
    const nonce = parameters.get('nonce') ?? '';
    const age = this.ageOf(nonce, sourceAddress);
    // Without qop a digest could be replayed as often as one likes.
    if (!algorithm || age === null || parameters.get('qop')?.toLowerCase() !== 'auth') return refused;
    // Of the URI as the caller had it: proxies on the way write another one into the request (RFC 3261 §22.4).
    const uri = parameters.get('uri') ?? '';
    const given = (parameters.get('response') ?? '').toLowerCase();
    const isRight = (password: string) => {
      const expected = digestResponse({
        algorithm,
        username,
        realm: this.realm,
        password,
        nonce,
        method: request.method,
        uri,
        qop: { nonceCount: parameters.get('nc') ?? '', clientNonce: parameters.get('cnonce') ?? '' },
      });
      return isEqual(expected, given);
    };
    const password = this.passwordsOf(username).find(isRight);
    if (password === undefined) return refused;
    if (age > NONCE_LIFE_MS || !this.countUp(nonce, parameters.get('nc') ?? '')) {
      return { kind: 'challenge', stale: true };
    }
    return { kind: 'ok', username, password };
  }

  private nonceFor(sourceAddress: string): string {
    const time = Math.floor(this.nowMs()).toString(36);
    const salt = randomBytes(6).toString('base64url');
    return `${time}.${salt}.${this.proof(time, salt, sourceAddress)}`;
  }

  /** Null for a nonce that is not ours, or another source's. */
  private ageOf(nonce: string, sourceAddress: string): number | null {
    const [time = '', salt = '', proof = ''] = nonce.split('.');
    if (!isEqual(this.proof(time, salt, sourceAddress), proof)) return null;
    return this.nowMs() - Number.parseInt(time, 36);
  }

  private proof(time: string, salt: string, sourceAddress: string): string {
    return createHmac('sha256', this.secret)
      .update(`${time}|${salt}|${sourceAddress}`)
      .digest('base64url')
      .slice(0, 22);
  }

  /** Each count of a nonce is good once (RFC 7616 §3.4, nc). */
  private countUp(nonce: string, nonceCount: string): boolean {
    if (!/^[\da-f]{8}$/i.test(nonceCount)) return false;
    const count = Number.parseInt(nonceCount, 16);
    if (count <= (this.counts.get(nonce) ?? 0)) return false;
    this.counts.set(nonce, count);
    return true;
  }
}

function isEqual(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
