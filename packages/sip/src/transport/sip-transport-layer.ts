import { readAnswerableRequest } from '../message/answerable-request.js';
import { parseSipMessage } from '../message/sip-parser.js';
import { type SipRequest, SipResponse } from '../message/sip-message.js';
import { type HostAndPort, LocalAddresses } from './local-addresses.js';
import { type SipEndpoint, SipTransportError, type TransportProtocol } from './sip-endpoint.js';
import type { SipReceiver, SipTransport } from './sip-transport.js';
import { OPEN_GATE, type SendGate } from './process-pause-guard.js';
import { SOURCE_LIMITS, SourceLimiter, type SourceLimits } from './source-limiter.js';
import { type SipTlsOptions, StreamTransport } from './stream-transport.js';
import { UdpTransport } from './udp-transport.js';
import { formatVia, markReceived, responseEndpoint, seenFrom } from './via.js';

export interface SipListenOptions {
  /** UDP and TCP on the same port; port 0 picks one. */
  readonly host: string;
  readonly port: number;
  readonly tls?: SipTlsOptions & { readonly host?: string; readonly port: number };
  /** Literal address to tell peers outside private networks; for machines behind NAT with forwarded ports. */
  readonly publicAddress?: string | null;
  readonly sourceLimits?: SourceLimits;
  /** Left out: it is always open. */
  readonly gate?: SendGate;
}

/** Handles messages that have passed the limits and the parser. */
export interface SipMessageHandler {
  onRequest(request: SipRequest, source: SipEndpoint): void;
  onResponse(response: SipResponse, source: SipEndpoint): void;
}

/** Counts since the start, for metrics. */
export interface SipTransportCounts {
  received: number;
  /** Refused by their source, unread. */
  limited: number;
  malformed: number;
  /** That the network did not take. */
  unsent: number;
}

/** A request with its Via, ready to be sent and sent again. */
export interface PreparedRequest {
  readonly request: SipRequest;
  readonly bytes: Buffer;
  readonly endpoint: SipEndpoint;
}

const MOST_TRIES = 20;

/** All sockets of a user agent, and the way between messages and bytes (RFC 3261 §18). */
export class SipTransportLayer {
  readonly counts: SipTransportCounts = { received: 0, limited: 0, malformed: 0, unsent: 0 };
  readonly sources: SourceLimiter;
  readonly gate: SendGate;
  private readonly transports = new Map<TransportProtocol, SipTransport>();
  private readonly addresses: LocalAddresses;
  private handler: SipMessageHandler | null = null;
  private overTls: StreamTransport | null = null;

  private constructor(options: SipListenOptions) {
    this.gate = options.gate ?? OPEN_GATE;
    this.addresses = new LocalAddresses(options.publicAddress ?? null);
    this.sources = new SourceLimiter(() => performance.now(), options.sourceLimits ?? SOURCE_LIMITS);
  }

  /** Rejects with the system's error when an address is taken; nothing listens then. */
  static async open(options: SipListenOptions): Promise<SipTransportLayer> {
    for (let tries = 1; ; tries++) {
      const layer = new SipTransportLayer(options);
      try {
        await layer.listen(options);
        return layer;
      } catch (error) {
        await layer.close();
        // A port the system chose for UDP may be taken for TCP.
        if (options.port !== 0 || tries >= MOST_TRIES) throw error;
      }
    }
  }

  /** What may be asked for in URIs, in order of preference. */
  get protocols(): readonly TransportProtocol[] {
    return (['tls', 'tcp', 'udp'] as const).filter((protocol) => this.transports.has(protocol));
  }

  localPort(protocol: TransportProtocol): number {
    return this.transports.get(protocol)?.localPort ?? 0;
  }

  handle(handler: SipMessageHandler): void {
    this.handler = handler;
  }

  /** For connections over TLS from now on; nothing where there is no TLS. */
  useCertificate(tls: SipTlsOptions): void {
    this.overTls?.useCertificate(tls);
  }

  /** The address and port this peer shall reach us by. */
  advertised(peer: SipEndpoint): Promise<HostAndPort> {
    const transport = this.transports.get(peer.protocol);
    if (!transport) return Promise.reject(new SipTransportError(peer));
    return this.addresses.advertised({ host: transport.localAddress, port: transport.localPort }, peer);
  }

  /** Puts our Via onto a copy of the request. */
  async prepare(request: SipRequest, endpoint: SipEndpoint, branch: string): Promise<PreparedRequest> {
    const sentBy = await this.advertised(endpoint);
    const prepared = request.clone();
    prepared.headers.prepend('via', formatVia(endpoint.protocol, sentBy, branch));
    return { request: prepared, bytes: prepared.serialize(), endpoint };
  }

  /**
   * @param isWanted asked again of a message that had to wait for the gate; left out: such a message is dropped, as its
   *   cause comes again
   * @throws SipTransportError
   */
  async send(bytes: Buffer, endpoint: SipEndpoint, isWanted = () => false): Promise<void> {
    const transport = this.transports.get(endpoint.protocol);
    if (!transport) throw new SipTransportError(endpoint);
    if (!this.gate.isOpen() && !(await this.waits(isWanted))) return;
    try {
      await transport.send(bytes, endpoint);
    } catch (error) {
      this.counts.unsent++;
      throw error;
    }
  }

  /**
   * Sends a response back to where its request came from. A failure to send shows only by a missing ACK, or not at
   * all.
   */
  respond(bytes: Buffer, topVia: string, source: SipEndpoint, isWanted = () => false): void {
    const transport = this.transports.get(source.protocol);
    const send = async () => {
      if (!this.gate.isOpen() && !(await this.waits(isWanted))) return;
      await transport?.send(bytes, responseEndpoint(topVia, source));
    };
    send().catch(() => {
      this.counts.unsent++;
    });
  }

  /** See SipTransport. */
  unanswered(endpoint: SipEndpoint, silentMs: number): void {
    this.transports.get(endpoint.protocol)?.unanswered?.(endpoint, silentMs);
  }

  async close(): Promise<void> {
    this.handler = null;
    await Promise.all([...this.transports.values()].map((transport) => transport.close()));
  }

  private async waits(isWanted: () => boolean): Promise<boolean> {
    await this.gate.whenOpen();
    return isWanted();
  }

  private async listen(options: SipListenOptions): Promise<void> {
    const receive: SipReceiver = (bytes, from, refusal) => this.receive(bytes, from, refusal);
    const udp = await UdpTransport.listen(options.host, options.port, receive);
    this.transports.set('udp', udp);
    this.transports.set('tcp', await StreamTransport.listen(options.host, udp.localPort, receive));
    if (!options.tls) return;
    const { host = options.host, port, ...tls } = options.tls;
    this.overTls = await StreamTransport.listen(host, port, receive, tls);
    this.transports.set('tls', this.overTls);
  }

  private receive(bytes: Buffer, source: SipEndpoint, refusal?: number): void {
    this.counts.received++;
    if (!this.sources.allow(source.address)) {
      this.counts.limited++;
      return;
    }
    // Line ends alone keep a NAT binding open (RFC 5626 §3.5.1).
    if (bytes.length <= 4) return;
    if (refusal !== undefined) {
      this.refuse(readAnswerableRequest(bytes), refusal, source);
      return;
    }
    const parsed = parseSipMessage(bytes);
    if (parsed.kind === 'malformed') {
      this.refuse(parsed.request, parsed.status, source);
      return;
    }
    const { message } = parsed;
    if (message.kind === 'request') {
      markReceived(message, source);
      this.handler?.onRequest(message, source);
      return;
    }
    this.learn(message, source);
    this.handler?.onResponse(message, source);
  }

  /** The answer repeats what the request has, and adds about 100 bytes: forged senders gain nothing by it. */
  private refuse(request: SipRequest | null, status: number, source: SipEndpoint): void {
    this.counts.malformed++;
    if (!request) return;
    markReceived(request, source);
    const response = SipResponse.to(request, status, 'malformed');
    this.respond(response.serialize(), request.headers.get('via') ?? '', source);
  }

  private learn(response: SipResponse, source: SipEndpoint): void {
    if (source.protocol !== 'udp' || !this.sources.isKnown(source.address)) return;
    const seen = seenFrom(response.headers.get('via') ?? '');
    if (seen) this.addresses.learn(source, seen);
  }
}
