import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { endpointKey, type SipEndpoint } from './sip-endpoint.js';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** How long what was learned of a network stays true. */
const KEPT_MS = 10 * 60_000;

/**
 * Which address we announce to peers in Via, Contact and SDP. The configured public address comes first, then the one
 * that a response reported (`received` and `rport`, RFC 3581). The last choice is that of the interface that reaches
 * the peer.
 */
export class LocalAddresses {
  private readonly learned = new LRUCache<string, HostAndPort>({ max: 1_000, ttl: KEPT_MS });
  private readonly interfaces = new LRUCache<string, string>({ max: 1_000, ttl: KEPT_MS });

  /** @param publicAddress a literal address; peers on private networks receive the interface's in any case */
  constructor(private readonly publicAddress: string | null) {}

  /** What to write for a socket bound to `bound`, to a peer. */
  async advertised(bound: HostAndPort, peer: SipEndpoint): Promise<HostAndPort> {
    if (this.publicAddress !== null && !isPrivateAddress(peer.address)) {
      return { host: this.publicAddress, port: bound.port };
    }
    const learned = this.learned.get(endpointKey(peer));
    if (learned) return learned;
    return { host: isWildcard(bound.host) ? await this.interfaceTo(peer) : bound.host, port: bound.port };
  }

  /** @returns whether that is news */
  learn(peer: SipEndpoint, seen: HostAndPort): boolean {
    if (this.publicAddress !== null) return false;
    const before = this.learned.get(endpointKey(peer));
    this.learned.set(endpointKey(peer), seen);
    return before?.host !== seen.host || before.port !== seen.port;
  }

  /** The kernel's choice; connecting a datagram socket sends nothing. */
  private async interfaceTo(peer: SipEndpoint): Promise<string> {
    const cached = this.interfaces.get(peer.address);
    if (cached) return cached;
    const socket = createSocket(isIPv6(peer.address) ? 'udp6' : 'udp4');
    try {
      const connected = once(socket, 'connect');
      socket.connect(peer.port, peer.address);
      await connected;
      const { address } = socket.address();
      this.interfaces.set(peer.address, address);
      return address;
    } finally {
      socket.close();
    }
  }
}

/** Not reachable over the internet: private, loopback, link-local, shared (CGNAT) and unspecified addresses. */
export function isPrivateAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  return ipaddr.process(address).range() !== 'unicast';
}

/** An address that means the machine that reads it: loopback and unspecified addresses. */
export function isThisHost(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const range = ipaddr.process(address).range();
  return range === 'loopback' || range === 'unspecified';
}

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
