import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import type { DigestAlgorithm } from '../auth/digest.js';
import { DigestAuthenticator } from '../auth/digest-authenticator.js';
import type { SipRequest } from '../message/sip-message.js';
import { parseSipUri } from '../message/sip-uri.js';
import type { SipTrunk } from './sip-trunk.js';

/** To whom a request that came in belongs. */
export type TrunkIdentity =
  /** Proven. Several when one operator sends the calls of several accounts from one address: the number decides then. */
  | { readonly kind: 'trunks'; readonly trunks: readonly SipTrunk[] }
  | { readonly kind: 'challenge'; readonly challenges: readonly string[] }
  /** Nobody's address, and nobody who could log in. */
  | { readonly kind: 'refused' };

interface Entry {
  readonly trunk: SipTrunk;
  readonly networks: readonly (readonly [IPv4 | IPv6, number])[];
  /** Addresses of the registrar, once registered. */
  registrars: ReadonlySet<string>;
  contactUser: string;
}

/** The trunks of this process, and whose a request is: by digest or by address, never by what it says of itself. */
export class TrunkDirectory {
  private readonly entries = new Map<string, Entry>();
  /** A user name is unique at one operator alone, so several trunks may have it. */
  private readonly byUsername = new Map<string, Set<Entry>>();
  private readonly authenticator: DigestAuthenticator;

  constructor(realm: string, algorithms?: readonly DigestAlgorithm[]) {
    this.authenticator = new DigestAuthenticator(realm, (username) => this.passwordsOf(username), algorithms);
  }

  /** @param contactUser what our Contact towards this trunk has as user; random, so that it cannot be guessed */
  add(trunk: SipTrunk, contactUser: string): void {
    this.remove(trunk.id);
    const networks = (trunk.inbound?.addresses ?? []).map(parseNetwork);
    const entry: Entry = { trunk, networks, registrars: new Set(), contactUser };
    this.entries.set(trunk.id, entry);
    const username = trunk.inbound?.credentials?.username;
    if (username === undefined) return;
    this.byUsername.set(username, (this.byUsername.get(username) ?? new Set<Entry>()).add(entry));
  }

  remove(trunkId: string): void {
    const entry = this.entries.get(trunkId);
    if (!entry) return;
    this.entries.delete(trunkId);
    const username = entry.trunk.inbound?.credentials?.username;
    if (username === undefined) return;
    const namesakes = this.byUsername.get(username);
    namesakes?.delete(entry);
    if (namesakes?.size === 0) this.byUsername.delete(username);
  }

  get size(): number {
    return this.entries.size;
  }

  get(trunkId: string): SipTrunk | null {
    return this.entries.get(trunkId)?.trunk ?? null;
  }

  contactUserOf(trunkId: string): string {
    return this.entries.get(trunkId)?.contactUser ?? '';
  }

  /** From here the registrar of the trunk sends its calls. */
  trustRegistrar(trunkId: string, addresses: readonly string[]): void {
    const entry = this.entries.get(trunkId);
    if (entry) entry.registrars = new Set(addresses);
  }

  identify(request: SipRequest, sourceAddress: string): TrunkIdentity {
    const registered = this.registeredFor(request, sourceAddress);
    if (registered) return { kind: 'trunks', trunks: [registered.trunk] };
    const address = ipaddr.isValid(sourceAddress) ? ipaddr.process(sourceAddress) : null;
    const near = [...this.entries.values()].filter((entry) => address && isWithin(entry, address));
    if (request.headers.has('authorization')) return this.byDigest(request, sourceAddress, near);
    const trusted = near.filter(({ trunk, networks }) => networks.length > 0 && !trunk.inbound?.credentials);
    if (trusted.length > 0) return { kind: 'trunks', trunks: trusted.map(({ trunk }) => trunk) };
    const mayLogIn = near.some(({ trunk }) => trunk.inbound?.credentials);
    if (!mayLogIn) return { kind: 'refused' };
    return { kind: 'challenge', challenges: this.authenticator.challenge(sourceAddress, false) };
  }

  private byDigest(request: SipRequest, sourceAddress: string, near: readonly Entry[]): TrunkIdentity {
    const verdict = this.authenticator.verify(request, sourceAddress);
    if (verdict.kind === 'ok') {
      const { username, password } = verdict;
      const trunks = near
        .filter((entry) => this.byUsername.get(username)?.has(entry))
        .map(({ trunk }) => trunk)
        .filter(({ inbound }) => inbound?.credentials?.password === password);
      return trunks.length > 0 ? { kind: 'trunks', trunks } : { kind: 'refused' };
    }
    const { stale } = verdict;
    return { kind: 'challenge', challenges: this.authenticator.challenge(sourceAddress, stale) };
  }

  private passwordsOf(username: string): string[] {
    const namesakes = [...(this.byUsername.get(username) ?? [])];
    return [...new Set(namesakes.flatMap(({ trunk }) => trunk.inbound?.credentials?.password ?? []))];
  }

  /** Sent by the registrar to the Contact only it was told. */
  private registeredFor(request: SipRequest, sourceAddress: string): Entry | null {
    const user = parseSipUri(request.uri)?.user ?? '';
    if (user === '') return null;
    for (const entry of this.entries.values()) {
      if (entry.contactUser === user && entry.registrars.has(sourceAddress)) return entry;
    }
    return null;
  }
}

/** Without addresses a trunk with credentials may call from anywhere, and one without from nowhere. */
function isWithin(entry: Entry, address: IPv4 | IPv6): boolean {
  const { inbound } = entry.trunk;
  if (!inbound) return false;
  if (entry.networks.length === 0) return inbound.credentials !== null;
  return entry.networks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}

function parseNetwork(text: string): readonly [IPv4 | IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
