/** IPv6 addresses that hold an IPv4 address in their last 32 bits. */
const EMBEDS_IPV4 = /^(?:::|0:|64:ff9b::)/;

/** Addresses of a trunk that are too wide, by the server's rule. */
export function wideRangesOf(addresses: readonly string[] | null): string[] {
  return (addresses ?? []).filter((range) => {
    const [address = '', bits] = range.toLowerCase().split('/');
    if (bits === undefined) return false;
    if (!address.includes(':')) return Number(bits) < 24;
    return Number(bits) < 48 || (EMBEDS_IPV4.test(address) && Number(bits) < 120);
  });
}
