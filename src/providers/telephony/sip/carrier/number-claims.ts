import type { DialledNames } from '../trunk/number-owners.js';
import { type NumberSpellings, readSpelling, spellingsOf, type TrunkNumber } from './trunk-number.js';

type Claims = ReadonlyMap<string, readonly TrunkNumber[]>;

/**
 * Who has the number that a call names. Several accounts may have typed the same one: who has proven it comes first, the last
 * proof before others, as numbers change hands; then who has had it longest.
 */
export class NumberClaims {
  /** By each spelling, the first claim first. */
  private exact: Claims = new Map();
  private international: Claims = new Map();
  private national: Claims = new Map();
  private spellings: ReadonlyMap<string, NumberSpellings> = new Map();

  replace(numbers: readonly TrunkNumber[]): void {
    const sorted = numbers.toSorted(byClaim);
    // Reading a number takes longer than all else here, and few numbers change.
    this.spellings = new Map(
      sorted.map(({ number }) => [number, this.spellings.get(number) ?? spellingsOf(number)]),
    );
    this.exact = this.grouped(sorted, 'exact');
    this.international = this.grouped(sorted, 'international');
    this.national = this.grouped(sorted, 'national');
  }

  /** The number that is called, of those that may be called. Null where there is none. */
  called({ to, wanted }: DialledNames, mayTake: (number: TrunkNumber) => boolean): TrunkNumber | null {
    const called = this.first(to, mayTake) ?? this.first(wanted, mayTake);
    if (!called || isNumber(called)) return called;
    // Any account may name an extension as an operator names its customer's server, and would get the calls of others' numbers.
    const owner = this.on(wanted).find((number) => isNumber(number) && mayTake(number));
    return owner && owner.accountId !== called.accountId && byClaim(owner, called) < 0 ? owner : called;
  }

  /** The same, unless another account has proven a number that is written so: then it is that one, whether or not it may be called. */
  owned(names: DialledNames, mayTake: (number: TrunkNumber) => boolean): TrunkNumber | null {
    const called = this.called(names, mayTake);
    if (!called || called.provenAtMs !== null) return called;
    const [best] = this.on(this.first(names.to, mayTake) ? names.to : names.wanted);
    const isOthers = best !== undefined && best.provenAtMs !== null && best.accountId !== called.accountId;
    return isOthers ? best : called;
  }

  /** Of several numbers of one account that may be meant, the one that is written so. */
  private first(user: string, mayTake: (number: TrunkNumber) => boolean): TrunkNumber | null {
    const first = this.on(user).find(mayTake);
    if (!first) return null;
    const isSame = (number: TrunkNumber) => number.accountId === first.accountId && mayTake(number);
    return this.exact.get(user)?.find(isSame) ?? first;
  }

  /** All that the name may mean, the first claim first. */
  private on(user: string): readonly TrunkNumber[] {
    const exact = this.exact.get(user) ?? [];
    const read = readSpelling(user);
    if (!read) return exact;
    const international = this.international.get(read.digits) ?? [];
    if (read.isInternational) return international;
    const national = this.national.get(read.digits) ?? [];
    const found = [exact, international, national].filter(({ length }) => length > 0);
    if (found.length < 2) return found[0] ?? [];
    return [...new Set(found.flat())].sort(byClaim);
  }

  private grouped(sorted: readonly TrunkNumber[], spelling: keyof NumberSpellings): Claims {
    const groups = new Map<string, TrunkNumber[]>();
    for (const number of sorted) {
      const written = this.spellings.get(number.number)?.[spelling];
      if (written === undefined || written === null) continue;
      const group = groups.get(written);
      if (group) group.push(number);
      else groups.set(written, [number]);
    }
    return groups;
  }
}

function isNumber({ number }: TrunkNumber): boolean {
  return number.startsWith('+');
}

function byClaim(one: TrunkNumber, other: TrunkNumber): number {
  const proof = (other.provenAtMs ?? 0) - (one.provenAtMs ?? 0);
  return proof === 0 ? one.phoneNumberId - other.phoneNumberId : proof;
}
