import { type AddressRange, networkOf, parseAddress } from './address-range.js';

/** Beyond so many values they are looked up by owner. */
const FEW = 8;

/**
 * Finds who has listed an address. A look-up costs one step for each prefix length in use, of which IPv4 has 33, however many
 * ranges there are.
 */
export class AddressIndex<Value extends { readonly owner: string }> {
  /** By prefix length, then by network. */
  private readonly ipv4 = new Map<number, Map<number | bigint, Listing<Value>>>();
  private readonly ipv6 = new Map<number, Map<number | bigint, Listing<Value>>>();

  add({ family, bits, network }: AddressRange, value: Value): void {
    const byNetwork = this[family].get(bits) ?? new Map<number | bigint, Listing<Value>>();
    this[family].set(bits, byNetwork);
    const listing = byNetwork.get(network) ?? new Listing<Value>();
    byNetwork.set(network, listing);
    listing.add(value);
  }

  remove({ family, bits, network }: AddressRange, value: Value): void {
    const byNetwork = this[family].get(bits);
    const listing = byNetwork?.get(network);
    if (!byNetwork || !listing) return;
    listing.remove(value);
    if (listing.values.length === 0) byNetwork.delete(network);
    if (byNetwork.size === 0) this[family].delete(bits);
  }

  /** Who has listed the address, alone or within a range: one listing for each such range. */
  find(address: string): readonly Listing<Value>[] {
    const parsed = parseAddress(address);
    if (!parsed) return [];
    const { family, network } = parsed;
    return [...this[family]].flatMap(
      ([bits, byNetwork]) => byNetwork.get(networkOf(family, network, bits)) ?? [],
    );
  }
}

/** Who has listed one range. */
export class Listing<Value extends { readonly owner: string }> {
  private all: Value[] = [];
  private byOwner: Map<string, Value[]> | null = null;

  get values(): readonly Value[] {
    return this.all;
  }

  of(owner: string): readonly Value[] {
    if (this.all.length <= FEW) return this.all.filter((value) => value.owner === owner);
    this.byOwner ??= groupedByOwner(this.all);
    return this.byOwner.get(owner) ?? [];
  }

  add(value: Value): void {
    if (this.all.includes(value)) return;
    this.all.push(value);
    this.byOwner = null;
  }

  remove(value: Value): void {
    this.all = this.all.filter((other) => other !== value);
    this.byOwner = null;
  }
}

function groupedByOwner<Value extends { readonly owner: string }>(values: readonly Value[]) {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(value.owner);
    if (group) group.push(value);
    else groups.set(value.owner, [value]);
  }
  return groups;
}
