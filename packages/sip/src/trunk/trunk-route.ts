import type { NextHop } from '../dialog/dialog.js';
import type { SipRequest } from '../message/sip-message.js';
import { formatSipUri } from '../message/sip-uri.js';
import type { SipTrunk } from './sip-trunk.js';

/** Where requests go that belong to no dialog: to the outbound proxy of the trunk, else to its server. */
export function firstHopOf({ target, outboundProxy }: SipTrunk): NextHop {
  return { flow: null, target: outboundProxy ?? target };
}

/** Names the outbound proxy of the trunk in a request that belongs to no dialog (RFC 3261 §8.1.2). */
export function writeRoute(request: SipRequest, { outboundProxy }: SipTrunk): void {
  if (!outboundProxy) return;
  const { host, port, protocol } = outboundProxy;
  request.headers.set('route', `<${formatSipUri({ host, port, transport: protocol })};lr>`);
}
