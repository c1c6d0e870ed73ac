import { parseNameAddress, splitOutsideQuotes } from './header-values.js';
import type { SipRequest } from './sip-message.js';
import { parseSipUri } from './sip-uri.js';

/** More than any chain of forwards that still reaches a person. */
const MOST_PARTIES = 20;

/** Of the telephone network, with the separators of RFC 3966. */
const NUMBER = /^\+?\d[\d().-]{5,}$/;

/** The numbers or users that have forwarded a call, as written: of Diversion (RFC 5806). */
export function divertingPartiesOf({ headers }: SipRequest): string[] {
  return usersIn(headers.all('diversion'));
}

/** The numbers or users that a call was for, one after the other, as written: of History-Info (RFC 7044). */
export function targetHistoryOf({ headers }: SipRequest): string[] {
  return usersIn(headers.all('history-info'));
}

/**
 * Whom the caller wanted, as written: by P-Called-Party-ID (RFC 7315 §4.2), where a network has replaced the called number by our
 * Contact, else by To. Operators that know us by a user name put the number there; of a call that was forwarded it is another's.
 */
export function wantedPartyOf({ headers, to }: SipRequest): string {
  const called = usersIn(headers.all('p-called-party-id')).find((user) => NUMBER.test(user));
  return called ?? parseSipUri(to?.uri ?? '')?.user ?? '';
}

function usersIn(values: readonly string[]): string[] {
  return values
    .flatMap((value) => splitOutsideQuotes(value, ','))
    .slice(0, MOST_PARTIES)
    .map((value) => parseSipUri(parseNameAddress(value)?.uri ?? '')?.user ?? '')
    .filter((user) => user !== '');
}
