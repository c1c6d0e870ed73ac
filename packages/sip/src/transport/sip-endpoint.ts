import { bracketed } from '../message/sip-uri.js';

export type TransportProtocol = 'udp' | 'tcp' | 'tls';

/** One end of a hop: where a message came from, or where it is sent to. */
export interface SipEndpoint {
  readonly protocol: TransportProtocol;
  /** A literal IP address. */
  readonly address: string;
  readonly port: number;
  /** The name TLS must find in the certificate; null for what was reached by its address. */
  readonly serverName?: string | null;
}

export function endpointKey(endpoint: SipEndpoint): string {
  return `${endpoint.protocol}:${bracketed(endpoint.address)}:${endpoint.port}`;
}

/** RFC 3261 §19.1.2. */
export function defaultPort(protocol: TransportProtocol): number {
  return protocol === 'tls' ? 5061 : 5060;
}

export function isReliable(protocol: TransportProtocol): boolean {
  return protocol !== 'udp';
}

/** A message could not be handed to the network: the peer refuses connections, or TLS does not trust it. */
export class SipTransportError extends Error {
  constructor(
    readonly endpoint: SipEndpoint,
    options?: ErrorOptions,
  ) {
    super(`No SIP message can be sent to ${endpointKey(endpoint)}.`, options);
    this.name = 'SipTransportError';
  }
}
