import { currentForm, toE164 } from '#src/common/phone/e164.js';
import type { PlaceCall } from '../../call/call-placing.js';
import { sipTargetOf } from '../../sip-target.js';
import { type OutgoingCallOptions, parseSipUri } from '@prosa/sip';
import { type TrunkNumber, writtenNumber } from './trunk-number.js';

/** An extension of the operator's exchange. */
export const EXTENSION = /^[\w*#+.-]{1,32}$/;

/**
 * Whom an INVITE is for; null for whom a call may not go to. A SIP address elsewhere than at the operator is called there,
 * without the operator and its password.
 */
export function calleeOf(
  number: TrunkNumber,
  { to, isSecondLeg = false }: PlaceCall,
): Pick<OutgoingCallOptions, 'to' | 'elsewhere'> | null {
  const current = currentForm(to);
  // A number that an assistant or a model was given is completed; the customer's is dialled as the call has it.
  if (toE164(current, number.countryCode) === current)
    return { to: writtenNumber(isSecondLeg ? current : to, number) };
  if (!isSecondLeg) return null;
  if (!sipTargetOf(to)) return EXTENSION.test(to) ? { to } : null;
  const uri = sipUriOf(to);
  const parsed = uri === null ? null : parseSipUri(uri);
  if (!uri || !parsed || parsed.scheme === 'tel') return null;
  const { host, port, parameters, scheme } = parsed;
  const { target } = number;
  const isOperators = host === target.host.toLowerCase() && (port === null || port === target.port);
  if (isOperators) return { to: uri };
  const transport = parameters.get('transport')?.toLowerCase();
  const protocol = transport === 'udp' || transport === 'tcp' || transport === 'tls' ? transport : null;
  return { to: uri, elsewhere: { host, port, protocol, secure: scheme === 'sips' } };
}

/** Null where the address would break out of its header. */
export function sipUriOf(address: string): string | null {
  if (/[<>"]/.test(address)) return null;
  return /^sips?:/i.test(address) ? address : `sip:${address}`;
}
