import type { SipEndpoint, TransportProtocol } from './sip-endpoint.js';

/** The bytes of one message, and who sent them. */
export type SipReceiver = (bytes: Buffer, from: SipEndpoint) => void;

/** Sockets of one protocol (RFC 3261 §18). */
export interface SipTransport {
  readonly protocol: TransportProtocol;
  /** As bound; `0.0.0.0` or `::` for every interface. */
  readonly localAddress: string;
  readonly localPort: number;
  /**
   * Sends one message. A stream keeps its connection for what follows.
   *
   * @throws SipTransportError
   */
  send(bytes: Buffer, to: SipEndpoint): Promise<void>;
  close(): Promise<void>;
}
