import { createHmac, randomBytes } from 'node:crypto';
import { type SipRequest, SipResponse } from '../message/sip-message.js';
import type { SipEndpoint } from '../transport/sip-endpoint.js';
import type { SipProxy } from '../transport/sip-proxy.js';
import type { SourceLimiter } from '../transport/source-limiter.js';
import type { SipTrunk } from '../trunk/sip-trunk.js';
import type { TrunkDirectory } from '../trunk/trunk-directory.js';
import { ALLOWED_METHODS, SUPPORTED_EXTENSIONS } from './call-session.js';

const ACCEPTED_BODIES = 'application/sdp, multipart/mixed, multipart/alternative';

/**
 * Looks at requests that belong to no dialog before anything is kept for them. Only an INVITE of a trunk goes through;
 * all else is answered here, without a transaction, or not at all. Nothing is ever relayed.
 */
export class InboundScreen {
  private readonly secret = randomBytes(32);
  private readonly identities = new WeakMap<SipRequest, readonly SipTrunk[]>();

  constructor(
    private readonly trunks: TrunkDirectory,
    private readonly sources: SourceLimiter,
    private readonly hasInvite: (cancel: SipRequest) => boolean,
    private readonly proxy: SipProxy | null = null,
  ) {}

  /** Whose an INVITE is that was let through. */
  trunksOf(request: SipRequest): readonly SipTrunk[] {
    return this.identities.get(request) ?? [];
  }

  /** The address that a request was sent from; null where that is not known. */
  originOf(request: SipRequest, source: SipEndpoint): string | null {
    return this.proxy ? this.proxy.originOf(request, source) : source.address;
  }

  /**
   * @param isFull no further call is taken
   * @returns the refusal; null for a request that may proceed
   */
  screen(request: SipRequest, source: SipEndpoint, isFull: boolean): SipResponse | null {
    if (request.toTag !== null) return this.respond(request, 481);
    switch (request.method) {
      case 'INVITE':
        return this.screenInvite(request, source, isFull);
      case 'CANCEL':
        return this.hasInvite(request) ? null : this.respond(request, 481);
      case 'OPTIONS':
        return this.respond(request, isFull ? 503 : 200, { accept: ACCEPTED_BODIES });
      case 'BYE':
      case 'PRACK':
      case 'UPDATE':
      case 'INFO':
      case 'NOTIFY':
        return this.respond(request, 481);
      default:
        return this.respond(request, 405);
    }
  }

  private screenInvite(request: SipRequest, source: SipEndpoint, isFull: boolean): SipResponse | null {
    const origin = this.originOf(request, source);
    // What came by a proxy was let in as the proxy's.
    if (origin === null || (origin !== source.address && !this.sources.allow(origin)))
      return this.respond(request, 403);
    const identity = this.trunks.identify(request, origin);
    if (identity.kind === 'refused') return this.respond(request, isFull && this.proxy ? 503 : 403);
    if (identity.kind === 'challenge') {
      const response = this.respond(request, 401);
      response.headers.set('www-authenticate', identity.challenges);
      return response;
    }
    if (isFull) return this.respond(request, 503, { 'retry-after': 10 });
    if (identity.kind === 'unassigned') return this.respond(request, 404);
    const unsupported = request.headers.all('require').filter((name) => !isSupported(name));
    if (unsupported.length > 0) return this.respond(request, 420, { unsupported: unsupported.join(', ') });
    if (!isReadable(request)) return this.respond(request, 415, { accept: ACCEPTED_BODIES });
    this.identities.set(request, identity.trunks);
    return null;
  }

  /** Without a transaction the tag must be the same for the same request, without being remembered (RFC 3261 §8.2.7). */
  private respond(
    request: SipRequest,
    status: number,
    headers: Readonly<Record<string, string | number>> = {},
  ): SipResponse {
    const seed = `${request.callId}|${request.fromTag ?? ''}|${request.cseq.number}`;
    const tag = createHmac('sha256', this.secret).update(seed).digest('hex').slice(0, 16);
    const response = SipResponse.to(request, status, tag);
    response.headers.set('allow', ALLOWED_METHODS).set('supported', SUPPORTED_EXTENSIONS);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  }
}

/**
 * Whether the body is complete: a description, possibly with other parts (ISUP, a location), or only parts that are
 * declared optional. RFC 3261 §20.11 requires us to refuse calls with other parts that are not declared optional, and
 * that is the default. Operators would lose every such call, so we accept them.
 */
function isReadable(request: SipRequest): boolean {
  if (request.body.length === 0 || request.sdp !== '') return true;
  const { parts } = request;
  return parts.length > 0 && parts.every(({ isRequired }) => !isRequired);
}

/** Whether we understand what a Require names. */
export function isSupported(extension: string): boolean {
  return SUPPORTED_EXTENSIONS.some((name) => name === extension.toLowerCase());
}
