import { isIP } from 'node:net';
import { EgressError } from '../../common/egress/egress-error.js';
import { isForbiddenAddress } from '../../common/egress/forbidden-address.js';
import { resolveChecked } from '../../common/egress/guarded-connector.js';
import { type LookupAll, systemLookup } from '../../common/egress/host-lookup.js';
import { timeoutSignal } from '../../common/time/timeout-signal.js';

/** Short, because the customer waits on the line. */
const LOOKUP_TIMEOUT_MS = 5_000;

/** `sip:user@host`, `user@host`, with a port and parameters; an IPv6 host is in brackets. */
const SIP_URI = /^(?:sips?:)?[^@\s]+@(\[[\da-f:.]+\]|[^:;?\s@[\]]+)(?::(\d{1,5}))?(?:[;?].*)?$/i;

/** Where a SIP URI leads to. */
export interface SipTarget {
  /** A name or a literal address, without brackets. */
  readonly host: string;
  /** Null where the URI names none. */
  readonly port: number | null;
}

/** Whom to dial: what was checked is what must be dialled, not the name once more. */
export interface ResolvedSipTarget extends SipTarget {
  readonly addresses: readonly string[];
}

/** Rejects with `EgressError`: `forbidden-address`, `dns`, `timeout`, or `invalid-url` for what is no SIP URI. */
export type ResolveSipTarget = (uri: string) => Promise<ResolvedSipTarget>;

/** The host and port of a SIP URI; null for anything else, such as a telephone number or an extension. */
export function sipTargetOf(uri: string): SipTarget | null {
  const match = SIP_URI.exec(uri);
  if (!match) return null;
  const [, host = '', port] = match;
  return { host: host.replace(/^\[|\]$/g, '').toLowerCase(), port: port === undefined ? null : Number(port) };
}

/**
 * Whether a SIP URI names an address of the operator's own network, in any notation; names are looked up when
 * dialled.
 */
export function isForbiddenSipUri(uri: string, allowCidrs: readonly string[]): boolean {
  const target = sipTargetOf(uri);
  if (!target) return false;
  const { host } = target;
  if (isIP(host) !== 0) return isForbiddenAddress(host, allowCidrs);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  // Resolvers read 127.1, 2130706433 and 0x7f.1 as addresses, as a URL does.
  const read = URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : host;
  return isIP(read) !== 0 && isForbiddenAddress(read, allowCidrs);
}

/**
 * Looks up where a call to a SIP URI would go, by the same rules as every other outbound connection: a name that leads to
 * a local, private or reserved address is refused unless the operator's `allowCidrs` admits it. For carriers that dial
 * SIP themselves, at the moment of dialling.
 */
export function sipTargetResolver(
  allowCidrs: readonly string[],
  lookup: LookupAll = systemLookup,
  timeoutMs = LOOKUP_TIMEOUT_MS,
): ResolveSipTarget {
  return async (uri) => {
    const target = sipTargetOf(uri);
    if (!target) throw new EgressError('invalid-url', 'This is not a SIP address.');
    const resolved = await within(timeoutMs, resolveChecked(target.host, lookup, allowCidrs));
    return { ...target, addresses: resolved.map(({ address }) => address) };
  };
}

function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  const late = timeoutSignal(timeoutMs);
  const tooLate = new Promise<never>((_resolve, reject) => {
    const refuse = () => reject(new EgressError('timeout', 'The host name took too long to be resolved.'));
    late.addEventListener('abort', refuse, { once: true });
  });
  return Promise.race([work, tooLate]);
}
