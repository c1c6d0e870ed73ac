import type { SipEndpoint, TransportProtocol } from './sip-endpoint.js';

/**
 * The bytes of one message, and who sent them.
 *
 * @param refusal set where a stream cannot be cut into messages any more: the status for the request that these bytes begin
 *   with, which is not to be read as a message
 */
export type SipReceiver = (bytes: Buffer, from: SipEndpoint, refusal?: number) => void;

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
  /**
   * A request was not answered. Its connection is closed if nothing has arrived on it for so long: its peer may be
   * frozen, or a router may have dropped it. The next request opens another.
   */
  unanswered?(to: SipEndpoint, silentMs: number): void;
  close(): Promise<void>;
}
