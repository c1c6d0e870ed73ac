import type { DialledNames } from '@prosa/sip';
import {
  type NumberSpellings,
  readDigits,
  spellingsOf,
  takesCarrierCode,
} from './numbers/number-spellings.js';
import type { TrunkNumber } from './trunk-number.js';

type Claims = ReadonlyMap<string, readonly TrunkNumber[]>;
type Choice = (number: TrunkNumber) => boolean;

/** Which numbers a call may be for. */
export interface CallableNumbers {
  readonly mayTake: Choice;
  /** Whether the number may be called by its subscriber number alone. */
  readonly mayTakeLocal: Choice;
  /** Whether it does not matter which of two numbers a subscriber number means. */
  readonly isSame: (one: TrunkNumber, other: TrunkNumber) => boolean;
}

/**
 * Who has the number that a call names. Several accounts may have typed the same one: who has proven it comes first, the last
 * proof before others, as numbers change hands; then who has had it longest.
 */
export class NumberClaims {
  /** By each spelling, the first claim first. */
  private exact: Claims = new Map();
  /** By the digits after a plus sign. */
  private global: Claims = new Map();
  /** By the digits without one. */
  private dialled: Claims = new Map();
  private local: Claims = new Map();
  private spellings: ReadonlyMap<string, NumberSpellings> = new Map();

  replace(numbers: readonly TrunkNumber[]): void {
    const sorted = numbers.toSorted(byClaim);
    // Reading a number takes longer than all else here, and few numbers change.
    this.spellings = new Map(
      sorted.map((one) => [
        keyOf(one),
        this.spellings.get(keyOf(one)) ?? spellingsOf(one.number, one.countryCode),
      ]),
    );
    this.exact = this.grouped(sorted, ({ exact }) => [exact]);
    this.global = this.grouped(sorted, ({ global }) => global);
    this.dialled = this.grouped(sorted, ({ international, national }) => [...international, ...national]);
    this.local = this.grouped(sorted, ({ local }) => local);
  }

  /** Country and area code; null for an extension, and where no area code can be left out. */
  areaOf(number: TrunkNumber): string | null {
    return this.spellings.get(keyOf(number))?.area ?? null;
  }

  /** The number that is called, of those that may be called. Null where there is none. */
  called({ to, wanted }: DialledNames, callable: CallableNumbers): TrunkNumber | null {
    const called = this.named(to, callable) ?? this.named(wanted, callable);
    if (!called || isNumber(called)) return called;
    // Any account may name an extension as an operator names its customer's server, and would get the calls of others' numbers.
    const owner = this.on(wanted).find((number) => isNumber(number) && callable.mayTake(number));
    return owner && owner.accountId !== called.accountId && byClaim(owner, called) < 0 ? owner : called;
  }

  /** The same, unless another account has proven a number that is written so: then it is that one, whether or not it may be called. */
  owned(names: DialledNames, callable: CallableNumbers): TrunkNumber | null {
    const called = this.called(names, callable);
    if (!called || called.provenAtMs !== null) return called;
    const [best] = this.on(this.named(names.to, callable) ? names.to : names.wanted);
    const isOthers = best !== undefined && best.provenAtMs !== null && best.accountId !== called.accountId;
    return isOthers ? best : called;
  }

  private named(user: string, callable: CallableNumbers): TrunkNumber | null {
    const first = this.first(user, callable);
    if (first && isNumber(first)) return first;
    const local = this.firstLocal(user, callable);
    if (!first || !local) return first ?? local;
    return byClaim(first, local) < 0 ? first : local;
  }

  /** Of several numbers of one account that may be meant, the one that is written so. */
  private first(user: string, { mayTake }: CallableNumbers): TrunkNumber | null {
    const first = this.on(user).find(mayTake);
    if (!first) return null;
    const isSame = (number: TrunkNumber) => number.accountId === first.accountId && mayTake(number);
    return this.exact.get(user)?.find(isSame) ?? first;
  }

  /** By its subscriber number; null where that may be one of several areas. A proven one is no guess. */
  private firstLocal(user: string, { mayTakeLocal, isSame }: CallableNumbers): TrunkNumber | null {
    const read = readDigits(user);
    if (!read || read.isGlobal || read.hasLeadingZero) return null;
    const meant = (this.local.get(read.digits) ?? []).filter(mayTakeLocal);
    const proven = meant.filter(({ provenAtMs }) => provenAtMs !== null);
    const candidates = proven.length > 0 ? proven : meant;
    const [first] = candidates;
    return first && candidates.every((one) => isSame(one, first)) ? first : null;
  }

  /** All that the name may mean, the first claim first. */
  private on(user: string): readonly TrunkNumber[] {
    const exact = this.exact.get(user) ?? [];
    const read = readDigits(user);
    if (!read) return exact;
    const claims = read.isGlobal ? this.global : this.dialled;
    const dialled = claims.get(read.digits) ?? [];
    const { afterCarrierCode } = read;
    const byCarrier = afterCarrierCode === null ? [] : (claims.get(afterCarrierCode) ?? []);
    const found = [
      read.isGlobal ? [] : exact,
      dialled,
      byCarrier.filter(({ number }) => takesCarrierCode(number)),
    ].filter(({ length }) => length > 0);
    if (found.length < 2) return found[0] ?? [];
    return [...new Set(found.flat())].sort(byClaim);
  }

  private grouped(
    sorted: readonly TrunkNumber[],
    spelled: (spellings: NumberSpellings) => readonly string[],
  ): Claims {
    const groups = new Map<string, TrunkNumber[]>();
    for (const number of sorted) {
      const spellings = this.spellings.get(keyOf(number));
      for (const written of new Set(spellings ? spelled(spellings) : [])) {
        const group = groups.get(written);
        if (group) group.push(number);
        else groups.set(written, [number]);
      }
    }
    return groups;
  }
}

function isNumber({ number }: TrunkNumber): boolean {
  return number.startsWith('+');
}

function keyOf({ number, countryCode }: Pick<TrunkNumber, 'number' | 'countryCode'>): string {
  return `${countryCode} ${number}`;
}

function byClaim(one: TrunkNumber, other: TrunkNumber): number {
  const proof = (other.provenAtMs ?? 0) - (one.provenAtMs ?? 0);
  return proof === 0 ? one.phoneNumberId - other.phoneNumberId : proof;
}
