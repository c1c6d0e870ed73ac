import { parseParameters, type SipParameters } from './header-values.js';
import { SIP_LIMITS } from './sip-limits.js';

/** A SIP, SIPS or tel URI (RFC 3261 §19.1, RFC 3966). */
export interface SipUri {
  readonly scheme: 'sip' | 'sips' | 'tel';
  /** Unescaped; of a tel URI the number. Empty where there is none. */
  readonly user: string;
  /** Lower case, without brackets; empty in a tel URI. */
  readonly host: string;
  readonly port: number | null;
  readonly parameters: SipParameters;
}

const SIP = /^(sips?):(?:([^@\s<>"]*)@)?(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?((?:;[^?\s]*)?)(\?\S*)?$/i;
const TEL = /^tel:(\+?[\d().\-*#A-Fa-f]+)((?:;\S*)?)$/i;

/** Null for anything else, and for what is longer than `SIP_LIMITS.uriBytes`. */
export function parseSipUri(text: string): SipUri | null {
  if (text.length > SIP_LIMITS.uriBytes) return null;
  const sip = SIP.exec(text);
  if (!sip) return parseTel(text);
  const [, scheme = '', userInfo = '', host = '', port, parameters = ''] = sip;
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) return null;
  const colon = userInfo.indexOf(':');
  const user = unescape(colon < 0 ? userInfo : userInfo.slice(0, colon));
  if (user === null) return null;
  return {
    scheme: scheme.toLowerCase() === 'sips' ? 'sips' : 'sip',
    // `user;phone-context=…` is part of the user, which for us is the number alone.
    user: user.split(';', 1)[0] ?? '',
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port: port === undefined ? null : Number(port),
    parameters: parseParameters(parameters),
  };
}

/** Parameters that a URI with them has never in common with one without. */
const DISTINGUISHING = ['user', 'ttl', 'method', 'maddr'] as const;

/** Whether two URIs mean the same (RFC 3261 §19.1.4). Passwords and header fields are not looked at. */
export function areEquivalent(one: SipUri, other: SipUri): boolean {
  if (one.scheme !== other.scheme || one.user !== other.user) return false;
  if (one.host !== other.host || one.port !== other.port) return false;
  if (DISTINGUISHING.some((name) => one.parameters.has(name) !== other.parameters.has(name))) return false;
  return [...one.parameters].every(
    ([name, value]) => (other.parameters.get(name) ?? value).toLowerCase() === value.toLowerCase(),
  );
}

/** Writes a URI. The user is escaped; the host of an IPv6 address gets its brackets. */
export function formatSipUri(uri: {
  readonly scheme?: 'sip' | 'sips';
  readonly user?: string;
  readonly host: string;
  readonly port?: number | null;
  readonly transport?: string | null;
}): string {
  const user = uri.user ? `${escapeUser(uri.user)}@` : '';
  const port = uri.port ? `:${uri.port}` : '';
  const transport = uri.transport ? `;transport=${uri.transport}` : '';
  return `${uri.scheme ?? 'sip'}:${user}${bracketed(uri.host)}${port}${transport}`;
}

export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function parseTel(text: string): SipUri | null {
  const tel = TEL.exec(text);
  if (!tel) return null;
  const [, number = '', parameters = ''] = tel;
  const user = number.replace(/[().-]/g, '');
  return { scheme: 'tel', user, host: '', port: null, parameters: parseParameters(parameters) };
}

function unescape(text: string): string | null {
  if (!text.includes('%')) return text;
  if (/%(?![\da-f]{2})/i.test(text)) return null;
  return text.replace(/%([\da-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function escapeUser(user: string): string {
  return Buffer.from(user, 'utf8')
    .toString('latin1')
    .replace(
      /[^\w\-.!~*'()&=+$,;?/#]/g,
      (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
    )
    .replaceAll('#', '%23');
}
