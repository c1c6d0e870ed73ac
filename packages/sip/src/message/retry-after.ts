import type { SipResponse } from './sip-message.js';

/**
 * The seconds of a Retry-After header field, without its comment and its parameters: `120 (maintenance);duration=3600`
 * (RFC 3261 §20.33). Null where there is none, or none that can be read.
 */
export function retryAfterSeconds(response: SipResponse): number | null {
  const match = /^\s*(\d{1,10})\s*(?:[(;]|$)/.exec(response.headers.get('retry-after') ?? '');
  return match ? Number(match[1]) : null;
}
