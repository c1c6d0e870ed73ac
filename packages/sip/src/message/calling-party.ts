import { joinCutNames, type NameAddress, parseNameAddress, splitOutsideQuotes } from './header-values.js';
import type { SipRequest } from './sip-message.js';
import { parseSipUri } from './sip-uri.js';

/** Values of Privacy by which a caller hides its identity (RFC 3323 §4.2, RFC 3325 §9.3). */
const HIDDEN: ReadonlySet<string> = new Set(['id', 'user', 'header']);
/** The context of a local number (RFC 3966 §5.1.5), also within the user part of a SIP URI (RFC 3261 §19.1.6). */
const CONTEXT = /;phone-context=\+([\d().-]+)/i;
const SEPARATORS = /[().-]/g;

/**
 * The number or user that calls. The operator's assertion comes before what the caller says of itself (RFC 3325); of several,
 * the one that is a number. `Remote-Party-ID` (draft-ietf-sip-privacy-04) is older than the RFCs, and what many exchanges
 * still send: gateways of FreeSWITCH have their login in From, and the caller there.
 *
 * @returns as written, with the global context of a local number before it; empty for a caller that hides itself
 */
export function callingPartyOf(request: SipRequest): string {
  if (isHidden(request)) return '';
  const asserted = partiesIn(request.headers.all('p-asserted-identity').flatMap(parseNameAddresses));
  const remote = partiesIn(remoteCallersOf(request)).find(isNumber);
  return asserted.find(isNumber) ?? asserted[0] ?? remote ?? partyIn(request.from?.uri ?? '');
}

function isHidden(request: SipRequest): boolean {
  const privacy = request.headers.all('privacy').flatMap((value) => value.toLowerCase().split(/[;,]/));
  if (privacy.some((value) => HIDDEN.has(value.trim()))) return true;
  return remoteCallersOf(request).some(({ parameters }) =>
    /^(?:full|uri)\b/i.test(parameters.get('privacy') ?? ''),
  );
}

/** The called side may be described as well. */
function remoteCallersOf({ headers }: SipRequest): NameAddress[] {
  return headers
    .all('remote-party-id')
    .flatMap(parseNameAddresses)
    .filter(({ parameters }) => (parameters.get('party') ?? 'calling').toLowerCase() === 'calling');
}

function parseNameAddresses(value: string): NameAddress[] {
  return joinCutNames(splitOutsideQuotes(value, ',')).flatMap((element) => parseNameAddress(element) ?? []);
}

function partiesIn(addresses: readonly NameAddress[]): string[] {
  return addresses.map(({ uri }) => partyIn(uri)).filter((party) => party !== '');
}

function partyIn(uri: string): string {
  const parsed = parseSipUri(uri);
  // RFC 3323 §4.1.1.3: anonymous.invalid; names under .invalid have no owner (RFC 2606).
  if (!parsed || parsed.host.endsWith('.invalid')) return '';
  const { user } = parsed;
  const [own = ''] = uri.split('@', 1);
  const context = CONTEXT.exec(own)?.[1]?.replace(SEPARATORS, '');
  return context && /^\d/.test(user) ? `+${context}${user.replace(SEPARATORS, '')}` : user;
}

function isNumber(party: string): boolean {
  return /^\+?[\d().-]+$/.test(party);
}
