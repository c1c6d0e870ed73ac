import type { DigestAlgorithm } from '../auth/digest.js';
import { type DigestVerdict, DigestAuthenticator } from '../auth/digest-authenticator.js';
import { wantedPartyOf } from '../message/diverting-parties.js';
import type { SipRequest } from '../message/sip-message.js';
import { parseSipUri } from '../message/sip-uri.js';
import { AddressIndex, type Listing } from './address-index.js';
import { type AddressRange, parseAddressRange, plainAddress, isSingleAddress } from './address-range.js';
import type { NumberClaim, NumberOwners } from './number-owners.js';
import type { SipTrunk } from './sip-trunk.js';

/** Whose a request is that came in. */
export type TrunkIdentity =
  /** The trunks that it may have come by. */
  | { readonly kind: 'trunks'; readonly trunks: readonly SipTrunk[] }
  | { readonly kind: 'challenge'; readonly challenges: readonly string[] }
  /** From an address that a trunk lists, for a number that none of its owners has. */
  | { readonly kind: 'unassigned' }
  /** From an address that no trunk lists, and no trunk takes logins. */
  | { readonly kind: 'refused' };

interface Entry {
  readonly trunk: SipTrunk;
  readonly owner: string;
  readonly ranges: readonly AddressRange[];
  /** Addresses of the registrar, once registered. */
  registrars: ReadonlySet<string>;
  readonly contactUser: string;
}

/** The trunks that list the source of a request, for each range that holds it. */
type Listed = readonly Listing<Entry>[];

/**
 * The trunks of this process, and whose a request is. The secret Contact of a registration and a login prove whose it is. An
 * address proves nothing, as each account lists what it likes: there the owner of the called number decides, and only the
 * addresses and logins of that owner count.
 */
export class TrunkDirectory {
  private readonly entries = new Map<string, Entry>();
  private readonly byAddress = new AddressIndex<Entry>();
  /** A user name is unique at one operator alone, so several trunks may have it. */
  private readonly byUsername = new Map<string, Set<Entry>>();
  private readonly byContactUser = new Map<string, Set<Entry>>();
  /** How many trunks list an address by itself, or have registered there. */
  private readonly knownSources = new Map<string, number>();
  private readonly authenticator: DigestAuthenticator;
  /** Trunks that take logins from any address. */
  private openLogins = 0;
  /** Trunks that take logins from the addresses that they list. */
  private boundLogins = 0;

  /** @param owners null: each trunk takes all calls from its addresses */
  constructor(
    realm: string,
    algorithms?: readonly DigestAlgorithm[],
    private readonly owners: NumberOwners | null = null,
  ) {
    this.authenticator = new DigestAuthenticator(realm, (username) => this.passwordsOf(username), algorithms);
  }

  /** @param contactUser what our Contact towards this trunk has as user; random, so that it cannot be guessed */
  add(trunk: SipTrunk, contactUser: string): void {
    this.remove(trunk.id);
    const ranges = (trunk.inbound?.addresses ?? []).map(parseAddressRange);
    const owner = trunk.owner ?? trunk.id;
    const entry: Entry = { trunk, owner, ranges, registrars: new Set(), contactUser };
    this.entries.set(trunk.id, entry);
    for (const range of ranges) this.byAddress.add(range, entry);
    this.count(singlesOf(entry), 1);
    addTo(this.byContactUser, contactUser, entry);
    const username = trunk.inbound?.credentials?.username;
    if (username !== undefined) addTo(this.byUsername, username, entry);
    this.countLogin(entry, 1);
  }

  remove(trunkId: string): void {
    const entry = this.entries.get(trunkId);
    if (!entry) return;
    this.setRegistrars(entry, new Set());
    this.entries.delete(trunkId);
    for (const range of entry.ranges) this.byAddress.remove(range, entry);
    this.count(singlesOf(entry), -1);
    removeFrom(this.byContactUser, entry.contactUser, entry);
    const username = entry.trunk.inbound?.credentials?.username;
    if (username !== undefined) removeFrom(this.byUsername, username, entry);
    this.countLogin(entry, -1);
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
    if (entry) this.setRegistrars(entry, new Set(addresses.map(plainAddress)));
  }

  /** Whether a trunk lists exactly this address, or has registered there. An address within a range may be anybody's. */
  isKnownSource(address: string): boolean {
    return this.knownSources.has(plainAddress(address));
  }

  identify(request: SipRequest, sourceAddress: string): TrunkIdentity {
    const source = plainAddress(sourceAddress);
    const registered = this.registeredFor(request, source);
    if (registered) return { kind: 'trunks', trunks: [registered.trunk] };
    const listed = this.byAddress.find(source);
    const verdict = request.headers.has('authorization')
      ? this.authenticator.verify(request, sourceAddress)
      : null;
    const loggedIn = verdict?.kind === 'ok' ? this.loggedIn(verdict, listed) : [];
    if (loggedIn.length > 0) return { kind: 'trunks', trunks: loggedIn.map(({ trunk }) => trunk) };
    const trusted = this.owners
      ? this.trustedOfOwner(this.owners, request, source, listed)
      : allTrusted(listed);
    if (trusted === 'unassigned') return { kind: trusted };
    if (trusted.length > 0) return { kind: 'trunks', trunks: trusted.map(({ trunk }) => trunk) };
    if (!this.takesLoginsFrom(listed)) return { kind: 'refused' };
    const isStale = verdict?.kind === 'challenge' && verdict.stale;
    return { kind: 'challenge', challenges: this.authenticator.challenge(sourceAddress, isStale) };
  }

  /** The trunks by which the owner of the called number trusts the source; none where the owner has not listed it. */
  private trustedOfOwner(
    owners: NumberOwners,
    request: SipRequest,
    source: string,
    listed: Listed,
  ): readonly Entry[] | 'unassigned' {
    const names = {
      to: parseSipUri(request.uri)?.user ?? '',
      wanted: wantedPartyOf(request),
    };
    const couldTake = (claim: NumberClaim) =>
      trustedOf(listed, claim.owner).length > 0 || this.takesLogins(claim, source);
    const owner = owners.ownerOf(names, couldTake);
    if (owner !== null) return trustedOf(listed, owner);
    return some(listed, trustsAddress) ? 'unassigned' : [];
  }

  /**
   * Whether the trunk of a claim takes logins from a source. A registered extension belongs to a known exchange.
   * Calls from elsewhere are for the same name at another exchange.
   */
  private takesLogins({ trunkId, isExtension }: NumberClaim, source: string): boolean {
    const entry = this.entries.get(trunkId);
    if (!entry || !takesAnyLogin(entry)) return false;
    return !isExtension || entry.registrars.size === 0 || entry.registrars.has(source);
  }

  private takesLoginsFrom(listed: Listed): boolean {
    if (this.openLogins > 0) return true;
    return this.boundLogins > 0 && some(listed, (entry) => !trustsAddress(entry));
  }

  private loggedIn(
    { username, password }: Extract<DigestVerdict, { kind: 'ok' }>,
    listed: Listed,
  ): readonly Entry[] {
    return [...(this.byUsername.get(username) ?? [])].filter(
      (entry) =>
        entry.trunk.inbound?.credentials?.password === password &&
        (takesAnyLogin(entry) || listed.some((listing) => listing.of(entry.owner).includes(entry))),
    );
  }

  private passwordsOf(username: string): string[] {
    const namesakes = [...(this.byUsername.get(username) ?? [])];
    return [...new Set(namesakes.flatMap(({ trunk }) => trunk.inbound?.credentials?.password ?? []))];
  }

  /** Sent by the registrar to the Contact that only the registrar knows. */
  private registeredFor(request: SipRequest, source: string): Entry | null {
    const user = parseSipUri(request.uri)?.user ?? '';
    if (user === '') return null;
    for (const entry of this.byContactUser.get(user) ?? []) {
      if (entry.registrars.has(source)) return entry;
    }
    return null;
  }

  private setRegistrars(entry: Entry, addresses: ReadonlySet<string>): void {
    this.count(entry.registrars, -1);
    this.count(addresses, 1);
    entry.registrars = addresses;
  }

  private count(addresses: Iterable<string>, difference: 1 | -1): void {
    for (const address of addresses) {
      const uses = (this.knownSources.get(address) ?? 0) + difference;
      if (uses > 0) this.knownSources.set(address, uses);
      else this.knownSources.delete(address);
    }
  }

  private countLogin(entry: Entry, difference: 1 | -1): void {
    if (!entry.trunk.inbound?.credentials) return;
    if (entry.ranges.length === 0) this.openLogins += difference;
    else this.boundLogins += difference;
  }
}

/** The addresses that a trunk lists by themselves, as sockets write them. */
function singlesOf({ trunk, ranges }: Entry): string[] {
  const addresses = trunk.inbound?.addresses ?? [];
  const isSingle = (_address: string, index: number) => {
    const range = ranges[index];
    return range !== undefined && isSingleAddress(range);
  };
  return addresses.filter(isSingle).map((address) => plainAddress(address.split('/', 1)[0] ?? ''));
}

function takesAnyLogin({ trunk, ranges }: Entry): boolean {
  return ranges.length === 0 && Boolean(trunk.inbound?.credentials);
}

function trustsAddress({ trunk }: Entry): boolean {
  return !trunk.inbound?.credentials;
}

/** The trunks of one owner that trust the source by its address alone. */
function trustedOf(listed: Listed, owner: string): readonly Entry[] {
  return [...new Set(listed.flatMap((listing) => listing.of(owner)))].filter(trustsAddress);
}

/** The same, of all owners. */
function allTrusted(listed: Listed): readonly Entry[] {
  return [...new Set(listed.flatMap(({ values }) => values))].filter(trustsAddress);
}

function some(listed: Listed, isWanted: (entry: Entry) => boolean): boolean {
  return listed.some(({ values }) => values.some(isWanted));
}

function addTo(map: Map<string, Set<Entry>>, key: string, entry: Entry): void {
  map.set(key, (map.get(key) ?? new Set<Entry>()).add(entry));
}

function removeFrom(map: Map<string, Set<Entry>>, key: string, entry: Entry): void {
  const entries = map.get(key);
  entries?.delete(entry);
  if (entries?.size === 0) map.delete(key);
}
