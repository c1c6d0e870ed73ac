import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isForbiddenAddress } from '../../common/egress/forbidden-address.js';
import { isWideRange } from '@prosa/sip';
import { type PhoneText, readPhone } from './phone-text.js';
import type { SipTrunk } from './sip-trunk.entity.js';

const EXTENSION = /^[0-9A-Za-z*#+._-]{1,15}$/;
const HOST_LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_HOST = 253;
/** Names that never lead to a public server (RFC 6761, 6762 and 9476, ICANN's `internal`). */
const LOCAL_DOMAINS = ['localhost', 'local', 'internal', 'invalid', 'test', 'alt', 'arpa'];

/** The number of a trunk as it is stored; an extension belongs to no country. Null when it has not the type's form. */
export function trunkNumberOf(type: SipTrunk['type'], text: string): PhoneText | null {
  if (type === 'number') return readPhone(text);
  return EXTENSION.test(text) ? { e164: text, countryCode: null } : null;
}

/** A host, with an optional port and transport. An IPv6 address before a port is in brackets. */
const ADDRESS = /^(?:\[([\da-f:.]+)\]|([^:;[\]]+))(?::(\d{1,5}))?(?:;transport=(udp|tcp|tls))?$/;

/** Where a SIP server is. */
export interface SipServer {
  /** A name or a literal address, without brackets. */
  readonly host: string;
  /** Null: as the transport has it, or DNS says. */
  readonly port: number | null;
  readonly transport: 'udp' | 'tcp' | 'tls' | null;
}

/** The parts of an address as it is stored. */
export function sipServerOf(address: string): SipServer {
  const match = isIP(address) === 6 ? null : ADDRESS.exec(address);
  const [, ipv6, name, port, transport] = match ?? [];
  return {
    host: ipv6 ?? name ?? address,
    port: port === undefined ? null : Number(port),
    transport: (transport as SipServer['transport'] | undefined) ?? null,
  };
}

/**
 * The address of a SIP server as it is stored, or null: a name of at least two labels, or a literal address that outbound
 * connections may reach, such as `sip.example.com`, `sip.example.com:5080` or `sip.example.com;transport=tcp`. What a name
 * resolves to is checked when it is dialled.
 */
export function sipAddressOf(text: string, allowCidrs: readonly string[]): string | null {
  const address = text.toLowerCase();
  const { host, port, transport } = sipServerOf(address);
  if (port !== null && (port < 1 || port > 65_535)) return null;
  // Brackets are for a port or a transport to follow.
  if (address.startsWith('[') && ((port === null && transport === null) || isIP(host) !== 6)) return null;
  return sipHostOf(host, allowCidrs) === null ? null : address;
}

type StoredProxy = Pick<SipTrunk, 'outboundProxy' | 'outboundProxyAddress'>;

/** The outbound proxy of a trunk as it is stored; the address is kept as it was sent. */
export function storedProxyOf(sent: boolean | string | null): StoredProxy {
  if (typeof sent === 'string') return { outboundProxy: true, outboundProxyAddress: sent };
  return { outboundProxy: sent === true, outboundProxyAddress: null };
}

/** The outbound proxy of a trunk as it was sent; false where there is none. */
export function outboundProxyOf({ outboundProxy, outboundProxyAddress }: StoredProxy): boolean | string {
  return outboundProxy ? (outboundProxyAddress ?? true) : false;
}

function sipHostOf(host: string, allowCidrs: readonly string[]): string | null {
  if (isIP(host) !== 0) return isForbiddenAddress(host, allowCidrs) ? null : host;
  const labels = host.split('.');
  const domain = labels.at(-1) ?? '';
  // A last label that begins with a digit makes resolvers read the whole as a number: 127.1, 0x7f.1.
  const isName =
    host.length <= MAX_HOST &&
    labels.length >= 2 &&
    labels.every((label) => HOST_LABEL.test(label)) &&
    /^[a-z]/.test(domain) &&
    !LOCAL_DOMAINS.includes(domain);
  return isName ? host : null;
}

/** Whether a text is an address, or a range of them in CIDR form. */
export function isAddressOrRange(value: unknown): boolean {
  if (typeof value !== 'string' || value.includes('%')) return false;
  const [address = ''] = value.split('/', 1);
  // ipaddr.js would read "10/8" as 0.0.0.10/8, so the address part is checked as well.
  return isIP(address) !== 0 && (address === value || ipaddr.isValidCIDR(value));
}

/** Those of a trunk's addresses that are ranges of many organizations: wider than /24 (IPv4) or /48 (IPv6). */
export function wideRangesOf(addresses: readonly string[] | null): string[] {
  return (addresses ?? []).filter(isWideRange);
}
