import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** One address or a CIDR range, in the form in which ranges are compared. */
export interface AddressRange {
  readonly family: 'ipv4' | 'ipv6';
  /** Its first address as a number: an integer for IPv4, a bigint for IPv6. */
  readonly network: number | bigint;
  /** Length of its prefix. */
  readonly bits: number;
}

type Family = AddressRange['family'];

const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
/** Wider ranges hold the networks of several organizations. */
const WIDEST_BITS = { ipv4: 24, ipv6: 48 } as const;
/** IPv6 addresses whose last 32 bits are an IPv4 address: compatible, mapped (RFC 4291 §2.5.5) and translated (RFC 6052). */
const EMBEDDING_IPV4 = ['::', '::ffff:0:0', '64:ff9b::'].map((prefix) => numberOf(ipaddr.IPv6.parse(prefix)));
const EMBEDDING_BITS = 96;

/** Reads an address or a CIDR range that has been validated; one of IPv4-mapped addresses is a range of IPv4. */
export function parseAddressRange(text: string): AddressRange {
  const [addressText = '', bitsText] = text.split('/', 2);
  const address = ipaddr.parse(addressText);
  const bits = bitsText === undefined ? ADDRESS_BITS[address.kind()] : Number(bitsText);
  if (isIPv6(address) && address.isIPv4MappedAddress() && bits >= EMBEDDING_BITS) {
    return rangeOf(address.toIPv4Address(), bits - EMBEDDING_BITS);
  }
  return rangeOf(address, bits);
}

/** Reads the address of a peer; null for what is none. */
export function parseAddress(text: string): AddressRange | null {
  return ipaddr.isValid(text) ? parseAddressRange(text) : null;
}

/** The first address of the range with this prefix length that holds the address. */
export function networkOf(family: Family, address: number | bigint, bits: number): number | bigint {
  const rest = ADDRESS_BITS[family] - bits;
  if (typeof address === 'bigint') return (address >> BigInt(rest)) << BigInt(rest);
  // A shift by 32 is none.
  return rest === 32 ? 0 : ((address >>> rest) << rest) >>> 0;
}

/** Whether a range is wider than /24 (IPv4) or /48 (IPv6), or holds as many IPv4 addresses within IPv6 ones. */
export function isWideRange(text: string): boolean {
  const { family, network, bits } = parseAddressRange(text);
  if (bits < WIDEST_BITS[family]) return true;
  if (family === 'ipv4') return false;
  const common = Math.min(bits, EMBEDDING_BITS);
  const holdsIPv4 = EMBEDDING_IPV4.some(
    (prefix) => networkOf(family, prefix, common) === networkOf(family, network, common),
  );
  return holdsIPv4 && bits - EMBEDDING_BITS < WIDEST_BITS.ipv4;
}

/** The text of an address as sockets write it; an IPv4-mapped address is the IPv4 address. */
export function plainAddress(text: string): string {
  return text.includes(':') && ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;
}

/** Whether a range is one address. */
export function isSingleAddress({ family, bits }: AddressRange): boolean {
  return bits === ADDRESS_BITS[family];
}

function rangeOf(address: IPv4 | IPv6, bits: number): AddressRange {
  const family = address.kind();
  return { family, network: networkOf(family, numberOf(address), bits), bits };
}

function numberOf(address: IPv4 | IPv6): number | bigint {
  const bytes = address.toByteArray();
  if (!isIPv6(address)) return bytes.reduce((number, byte) => number * 256 + byte, 0);
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

function isIPv6(address: IPv4 | IPv6): address is IPv6 {
  return address.kind() === 'ipv6';
}
