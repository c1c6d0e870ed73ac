import { parseNameAddress, splitOutsideQuotes } from './header-values.js';
import type { SipRequest } from './sip-message.js';
import { parseSipUri } from './sip-uri.js';

/** More than any chain of forwards that still reaches a person. */
const MOST_PARTIES = 20;

/** The numbers or users that have forwarded a call, as written: of Diversion (RFC 5806). */
export function divertingPartiesOf({ headers }: SipRequest): string[] {
  return usersIn(headers.all('diversion'));
}

/** The numbers or users that a call was for, one after the other, as written: of History-Info (RFC 7044). */
export function targetHistoryOf({ headers }: SipRequest): string[] {
  return usersIn(headers.all('history-info'));
}

function usersIn(values: readonly string[]): string[] {
  return values
    .flatMap((value) => splitOutsideQuotes(value, ','))
    .slice(0, MOST_PARTIES)
    .map((value) => parseSipUri(parseNameAddress(value)?.uri ?? '')?.user ?? '')
    .filter((user) => user !== '');
}
