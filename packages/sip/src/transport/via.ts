import { parseVia } from '../message/header-values.js';
import type { SipRequest } from '../message/sip-message.js';
import { bracketed } from '../message/sip-uri.js';
import { defaultPort, type SipEndpoint, type TransportProtocol } from './sip-endpoint.js';
import type { HostAndPort } from './local-addresses.js';

/** The magic cookie of RFC 3261 §8.1.1.7. */
export const BRANCH_COOKIE = 'z9hG4bK';

/** Our own Via; `rport` asks for the port we are seen from (RFC 3581). */
export function formatVia(protocol: TransportProtocol, sentBy: HostAndPort, branch: string): string {
  return `SIP/2.0/${protocol.toUpperCase()} ${bracketed(sentBy.host)}:${sentBy.port};branch=${branch};rport`;
}

/** Writes into the topmost Via where a request really came from (RFC 3261 §18.2.1, RFC 3581 §4). */
export function markReceived(request: SipRequest, source: SipEndpoint): void {
  const { via } = request;
  if (!via) return;
  const asksPort = via.parameters.has('rport');
  if (!asksPort && via.host === source.address) return;
  const value = (request.headers.get('via') ?? '').replace(
    /;\s*(?:rport|received)\s*(?:=[^;]*)?(?=;|$)/gi,
    '',
  );
  const port = asksPort ? `;rport=${source.port}` : '';
  request.headers.replaceFirst('via', `${value};received=${source.address}${port}`);
}

/**
 * Where a response goes (RFC 3261 §18.2.2). With a stream it is the one that the request came by. Otherwise it is the
 * sender's address: at the port it was sent from if the request asked for that, else at the port in its Via. `maddr`
 * is ignored: with it anybody could make us send to any address.
 */
export function responseEndpoint(topVia: string, source: SipEndpoint): SipEndpoint {
  if (source.protocol !== 'udp') return source;
  const via = parseVia(topVia);
  if (!via || via.parameters.has('rport')) return source;
  return { ...source, port: via.port ?? defaultPort('udp') };
}

/** What our Via came back with: where the peer has seen the request come from; null when it says nothing. */
export function seenFrom(topVia: string): HostAndPort | null {
  const via = parseVia(topVia);
  if (!via) return null;
  const host = via.parameters.get('received') || via.host;
  const port = Number(via.parameters.get('rport') || via.port || 0);
  return Number.isInteger(port) && port > 0 && port <= 65_535 ? { host, port } : null;
}
