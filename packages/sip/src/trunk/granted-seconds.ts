import { parseNameAddress, parseSeconds } from '../message/header-values.js';
import type { SipResponse } from '../message/sip-message.js';
import { areEquivalent, parseSipUri, type SipUri } from '../message/sip-uri.js';

interface Binding {
  readonly uri: SipUri;
  /** Null where the registrar does not say. */
  readonly expiresSeconds: number | null;
}

/**
 * What a registrar has granted to our own Contact, among those of others (RFC 3261 §10.2.4). Registrars give a Contact back with
 * the address that they have seen, with other parameters, or without the ones that we sent. So it is also known by its user
 * part, which no other has, and by being the only one. Where several may be ours, the shortest time counts: a refresh that is early
 * does no harm.
 *
 * @param sent our Contact, as the header field of the request has it
 * @returns null where the response does not say, or says 0
 */
export function grantedSeconds(response: SipResponse, sent: string): number | null {
  const bindings = response.headers.all('contact').flatMap(bindingOf);
  const ofAll = parseSeconds(response.headers.get('expires'));
  const ours = ownBindings(bindings, sent);
  if (ours.length > 0) return shortest(ours.map(({ expiresSeconds }) => expiresSeconds ?? ofAll));
  return shortest([ofAll]) ?? shortest(bindings.map(({ expiresSeconds }) => expiresSeconds));
}

function ownBindings(bindings: readonly Binding[], sent: string): readonly Binding[] {
  const own = parseSipUri(parseNameAddress(sent)?.uri ?? '');
  if (own) {
    const equivalent = bindings.filter(({ uri }) => areEquivalent(uri, own));
    if (equivalent.length > 0) return equivalent;
    const ofUser = own.user === '' ? [] : bindings.filter(({ uri }) => uri.user === own.user);
    if (ofUser.length > 0) return ofUser;
  }
  return bindings.length === 1 ? bindings : [];
}

function bindingOf(value: string): Binding[] {
  const contact = parseNameAddress(value);
  const uri = contact && parseSipUri(contact.uri);
  return uri ? [{ uri, expiresSeconds: parseSeconds(contact.parameters.get('expires')) }] : [];
}

function shortest(seconds: readonly (number | null)[]): number | null {
  const granted = seconds.filter((value): value is number => value !== null && value > 0);
  return granted.length === 0 ? null : Math.min(...granted);
}
