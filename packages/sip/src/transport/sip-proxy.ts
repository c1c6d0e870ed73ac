import { isIP } from 'node:net';
import type { SipRequest } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import type { SipEndpoint } from './sip-endpoint.js';

/** A literal address, and the port the proxy listens at and sends from, over UDP. */
export interface SipProxyAddress {
  readonly host: string;
  readonly port: number;
}

/** Where a request goes that begins something; the proxy takes it out. */
const TARGET = 'x-prosa-target';
/** The Route that the request has for the operator's side, as the proxy takes out all others. */
const ROUTE = 'x-prosa-route';
/** The address that a request came to the proxy from; it takes out what others wrote there. */
const SOURCE = 'x-prosa-source';

/**
 * A proxy of the installation between its processes and the operators (RFC 3261 §16). All messages go by it but those over
 * TLS, as it could not check whose certificate an operator must have.
 */
export class SipProxy {
  readonly endpoint: SipEndpoint;

  constructor({ host, port }: SipProxyAddress) {
    this.endpoint = { protocol: 'udp', address: host, port };
  }

  /** Where a message for an endpoint is sent. */
  wayTo(endpoint: SipEndpoint): SipEndpoint {
    return endpoint.protocol === 'tls' ? endpoint : this.endpoint;
  }

  /** Has a request that begins something go on to an endpoint. Those within a dialog know their way. */
  direct(request: SipRequest, { protocol, address, port }: SipEndpoint): void {
    if (protocol === 'tls' || request.toTag !== null) return;
    const own = formatSipUri({ host: this.endpoint.address, port: this.endpoint.port });
    request.headers
      .set(ROUTE, request.headers.all('route'))
      .set('route', `<${own};lr>`)
      .set(TARGET, formatSipUri({ host: address, port, transport: protocol }));
  }

  /** The address that a request was sent from; null for one that must not be believed. */
  originOf(request: SipRequest, source: SipEndpoint): string | null {
    if (source.protocol === 'tls') return source.address;
    const { address, port } = this.endpoint;
    if (source.protocol !== 'udp' || source.address !== address || source.port !== port) return null;
    const [origin = '', ...more] = request.headers.all(SOURCE);
    return more.length === 0 && isIP(origin) !== 0 ? origin : null;
  }
}
