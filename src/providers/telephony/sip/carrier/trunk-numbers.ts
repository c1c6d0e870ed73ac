import type { DialledNames, NumberClaim, NumberOwners, InboundTrust, SipTrunk } from '@prosa/sip';
import { NumberClaims } from './number-claims.js';
import type { TrunkNumber } from './trunk-number.js';

/** How long a registrar keeps us without hearing of us; also often enough to keep a NAT's binding known. */
const REGISTRATION_SECONDS = 300;

/** What an inbound call says of itself, after its trunks have been proven. */
export interface CalledBy extends DialledNames {
  /** Every trunk it may belong to. */
  readonly trunkIds: readonly string[];
}

/**
 * `all`: registered, and for calls both ways; `unregistered`: for calls both ways, while another process registers;
 * `placing`: for calls out alone.
 */
export type TrunkUse = 'all' | 'unregistered' | 'placing';

/** The trunks of the user agent and the numbers behind them: which one calls, and which one is called. */
export class TrunkNumbers implements NumberOwners {
  private readonly byId = new Map<number, TrunkNumber>();
  private readonly trunks = new Map<string, string>();
  /** The trunk that registers for a login. */
  private readonly registrants = new Map<string, string>();
  private readonly byLogin = new Map<string, TrunkNumber[]>();
  private readonly claims = new NumberClaims();

  constructor(private readonly use: TrunkUse = 'all') {}

  get size(): number {
    return this.byId.size;
  }

  get all(): Iterable<TrunkNumber> {
    return this.byId.values();
  }

  find(phoneNumberId: number): TrunkNumber | null {
    return this.byId.get(phoneNumberId) ?? null;
  }

  /**
   * Takes note of all numbers there are, and says what is to change at the user agent.
   *
   * @returns the trunks to be added anew or in place of their predecessors, and the ids of those to be removed
   */
  replace(numbers: readonly TrunkNumber[]): { readonly changed: SipTrunk[]; readonly gone: string[] } {
    this.byId.clear();
    for (const number of numbers) this.byId.set(number.phoneNumberId, number);
    this.registrants.clear();
    this.byLogin.clear();
    this.claims.replace(numbers);
    const changed: SipTrunk[] = [];
    for (const number of numbers) {
      // One login at a registrar is one registration, however many numbers come by it: a second would fork every call.
      const login = loginOf(number);
      const sharing = this.byLogin.get(login);
      if (sharing) sharing.push(number);
      else this.byLogin.set(login, [number]);
      const registers =
        this.use === 'all' && number.inboundAddresses === null && !this.registrants.has(login);
      const trunk = sipTrunkOf(number, this.use, registers);
      if (trunk.registration) this.registrants.set(login, trunk.id);
      const version = JSON.stringify(trunk);
      if (this.trunks.get(trunk.id) !== version) changed.push(trunk);
      this.trunks.set(trunk.id, version);
    }
    const gone = [...this.trunks.keys()].filter((id) => !this.byId.has(Number(id)));
    for (const id of gone) this.trunks.delete(id);
    return { changed, gone };
  }

  /** The trunk that registers for the number; null for one that does not register. */
  registrantOf(number: TrunkNumber): string | null {
    if (number.inboundAddresses !== null) return null;
    return this.registrants.get(loginOf(number)) ?? null;
  }

  /**
   * The account of the called number. An account that has proven the number comes first, from any source address: an
   * account that merely lists the address of a call has proven nothing.
   * Without proof it is the account that has had the number longest, of those that could take the call.
   */
  ownerOf(names: DialledNames, couldTake: (claim: NumberClaim) => boolean): string | null {
    const mayTake = (number: TrunkNumber) => couldTake(claimOf(number));
    const isSame = (one: TrunkNumber, other: TrunkNumber) =>
      one.accountId === other.accountId || one.number === other.number;
    const called = this.claims.owned(names, { mayTake, mayTakeLocal: mayTake, isSame });
    return called && ownerIdOf(called);
  }

  /**
   * The called number: one of an account whose trunk the call has proven to come by. Several accounts may have the
   * same number behind a shared operator. Then it is the one that has proven it last, else the one that has it
   * longest. A subscriber number alone is read in the areas of these trunks' own numbers.
   */
  called({ trunkIds, to, wanted }: CalledBy): TrunkNumber | null {
    const proven = trunkIds.flatMap((id) => this.byId.get(Number(id)) ?? []);
    const accounts = new Set(proven.map(({ accountId }) => accountId));
    const areas = new Set(proven.map((number) => this.areaOf(number)));
    const called = this.claims.called(
      { to, wanted },
      {
        mayTake: ({ accountId }) => accounts.has(accountId),
        mayTakeLocal: (number) => areas.has(this.areaOf(number)),
        isSame: (one, other) => one.number === other.number,
      },
    );
    return called ?? this.behindLogin(proven);
  }

  /** The area of an account's number. */
  private areaOf(number: TrunkNumber): string {
    return `${number.accountId} ${this.claims.areaOf(number)}`;
  }

  /**
   * A registrar sends calls only to the Contact that it knows. The only number behind a login is therefore the called
   * one.
   */
  private behindLogin(proven: readonly TrunkNumber[]): TrunkNumber | null {
    const [only, ...others] = proven;
    if (!only || others.length > 0 || only.inboundAddresses !== null) return null;
    return this.byLogin.get(loginOf(only))?.length === 1 ? only : null;
  }
}

export function trunkIdOf({ phoneNumberId }: Pick<TrunkNumber, 'phoneNumberId'>): string {
  return String(phoneNumberId);
}

function ownerIdOf({ accountId }: Pick<TrunkNumber, 'accountId'>): string {
  return String(accountId);
}

function claimOf(number: TrunkNumber): NumberClaim {
  return {
    trunkId: trunkIdOf(number),
    owner: ownerIdOf(number),
    isExtension: !number.number.startsWith('+'),
  };
}

function loginOf({ accountId, target, outboundProxy, username, password }: TrunkNumber): string {
  return JSON.stringify([accountId, target, outboundProxy, username, password]);
}

function sipTrunkOf(number: TrunkNumber, use: TrunkUse, registers: boolean): SipTrunk {
  const { target, outboundProxy, username, password, srtp, contactUser } = number;
  const credentials = { username, password };
  return {
    id: trunkIdOf(number),
    owner: ownerIdOf(number),
    target,
    outboundProxy,
    domain: target.host,
    credentials,
    registration: registers ? { user: username, expiresSeconds: REGISTRATION_SECONDS } : null,
    inbound: use === 'placing' ? null : inboundTrustOf(number),
    srtp,
    contactUser,
  };
}

function inboundTrustOf({ username, password, inboundAddresses }: TrunkNumber): InboundTrust {
  return inboundAddresses === null
    ? { addresses: [], credentials: { username, password } }
    : { addresses: inboundAddresses, credentials: null };
}
