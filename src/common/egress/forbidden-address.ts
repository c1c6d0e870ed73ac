import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Azure's host agent answers here with credentials, although the address itself is a public one. */
const PUBLIC_METADATA = ipaddr.IPv4.parse('168.63.129.16');

/** The only block IANA has given out as global unicast; all outside is local, reserved or embeds IPv4. */
const GLOBAL_UNICAST_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Where the ranges that embed an IPv4 address keep it: the index of its first byte. */
const EMBEDDED_AT: ReadonlyMap<string, number> = new Map([
  ['ipv4Mapped', 12],
  ['rfc6145', 12],
  ['rfc6052', 12],
  ['6to4', 2],
  ['teredo', 12],
]);

/**
 * Whether an outbound connection to `address` (a literal, IPv4 or IPv6) is refused: everything that is not plain
 * global unicast, unless one of the operator's `allowCidrs` names it. Addresses that embed an IPv4 address
 * (mapped, NAT64, 6to4, Teredo and kin) must be named themselves, and the address inside must be permitted too.
 * What is not an address is forbidden. Throws only on CIDRs that `assertCidrs` refuses.
 */
export function isForbiddenAddress(address: string, allowCidrs: readonly string[]): boolean {
  const parsed = parseAddress(address);
  if (parsed === null) return true;
  if (isGlobalUnicast(parsed)) return false;
  if (!allowCidrs.some((cidr) => isWithin(parsed, cidr))) return true;
  const embedded = embeddedIPv4(parsed);
  return embedded !== null && isForbiddenAddress(embedded, allowCidrs);
}

/** Throws with the offending text when one of `cidrs` is not a full address, a slash and a prefix length. */
export function assertCidrs(cidrs: readonly string[]): void {
  for (const cidr of cidrs) {
    // ipaddr.js would read "10/8" as 0.0.0.10/8, so the address part is checked as well.
    if (isIP(cidr.split('/', 1)[0] ?? '') === 0 || !ipaddr.isValidCIDR(cidr)) {
      throw new TypeError(`Not a CIDR such as 10.0.0.0/8 or fd00::/8: "${cidr}"`);
    }
  }
}

function parseAddress(address: string): IPv4 | IPv6 | null {
  const family = isIP(address);
  if (family === 0) return null;
  if (family === 4) return ipaddr.IPv4.parse(address);
  // ipaddr.js takes "::127.0.0.1" for a mapped address; a URL writes all in hexadecimal, which leaves no choice.
  const [withoutZone] = address.split('%', 1);
  return ipaddr.IPv6.parse(new URL(`http://[${withoutZone}]/`).hostname.slice(1, -1));
}

function isGlobalUnicast(address: IPv4 | IPv6): boolean {
  if (address.range() !== 'unicast') return false;
  if (isIPv4(address)) return !address.match(PUBLIC_METADATA, 32);
  return address.match(GLOBAL_UNICAST_IPV6);
}

function isWithin(address: IPv4 | IPv6, cidr: string): boolean {
  const [network, prefixLength] = ipaddr.parseCIDR(cidr);
  return network.kind() === address.kind() && address.match(network, prefixLength);
}

/** The IPv4 address a transition mechanism would in the end talk to; null where there is none. */
function embeddedIPv4(address: IPv4 | IPv6): string | null {
  if (isIPv4(address)) return null;
  const bytes = address.toByteArray();
  const range = address.range();
  const firstByte = EMBEDDED_AT.get(range) ?? (isIPv4Compatible(bytes) ? 12 : null);
  if (firstByte === null) return null;
  const embedded = bytes.slice(firstByte, firstByte + 4);
  // Teredo stores the client's address with every bit turned (RFC 4380, 4).
  return (range === 'teredo' ? embedded.map((byte) => byte ^ 0xff) : embedded).join('.');
}

/** `::a.b.c.d` of RFC 4291, deprecated; `::` and `::1` look alike but embed nothing. */
function isIPv4Compatible(bytes: readonly number[]): boolean {
  return bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12, 15).some((byte) => byte !== 0);
}

function isIPv4(address: IPv4 | IPv6): address is IPv4 {
  return address.kind() === 'ipv4';
}
