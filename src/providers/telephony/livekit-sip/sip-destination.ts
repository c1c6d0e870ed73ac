import type { PlaceCall } from '../call/call-placing.js';
import { isForbiddenSipUri, sipTargetOf } from '../sip-target.js';
import { calleeOf, EXTENSION, sipUriOf } from '../sip/carrier/callee.js';
import { type TrunkNumber, writtenNumber } from '../sip/carrier/trunk-number.js';
import { formatSipUri, parseSipUri } from '@prosa/sip';
import type { SipDestination } from './livekit-sip-requests.js';

/**
 * Where a call is to go from a number; null for whom a call may not go to. LiveKit looks names up by itself: what they lead to
 * is kept from networks of the operator by the firewall of LiveKit's machine, and literal addresses are refused here.
 */
export function destinationOf(
  number: TrunkNumber,
  request: PlaceCall,
  allowCidrs: readonly string[],
): SipDestination | null {
  const callee = calleeOf(number, request);
  if (!callee) return null;
  const { elsewhere } = callee;
  const { srtp, target, username, password } = number;
  const uri = parseSipUri(callee.to);
  const user = uri ? uri.user : callee.to;
  if (user === '' || isForbiddenSipUri(callee.to, allowCidrs)) return null;
  if (!elsewhere) return { ...target, credentials: { username, password }, srtp, user };
  const protocol = elsewhere.secure ? 'tls' : elsewhere.protocol;
  const { host, port } = elsewhere;
  return { host, port, protocol, credentials: null, srtp, user };
}

/** What a far end is asked to call (RFC 3515); null for what it cannot be asked for. */
export function referTargetOf(number: TrunkNumber, to: string): string | null {
  if (sipTargetOf(to)) return sipUriOf(to);
  if (!EXTENSION.test(to)) return null;
  const { host, port } = number.target;
  return formatSipUri({ user: writtenNumber(to, number), host, port });
}
