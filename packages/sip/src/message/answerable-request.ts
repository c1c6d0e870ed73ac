import { splitOutsideQuotes } from './header-values.js';
import { canonicalHeaderName, SipHeaders } from './sip-headers.js';
import { SIP_LIMITS } from './sip-limits.js';
import { SipRequest } from './sip-message.js';

const METHOD = /^[\w.!%*+`'~-]{1,64}(?=[ \t])/;

/** What a response repeats, besides Via (RFC 3261 §8.2.6.2). */
const REPEATED: ReadonlySet<string> = new Set(['from', 'to', 'call-id', 'cseq']);

/**
 * Reads of a request that cannot be parsed what its refusal must repeat, as it is written. A sender that gets no answer
 * repeats its request for 32 s and then reports a timeout.
 *
 * @returns null for a response, an ACK, anything that is no SIP, and a request without Via
 */
export function readAnswerableRequest(bytes: Buffer): SipRequest | null {
  const [startLine = '', ...lines] = headerLines(bytes);
  const method = METHOD.exec(startLine)?.[0];
  if (!method || method === 'ACK' || !/\sSIP\//i.test(startLine)) return null;
  const headers = new SipHeaders();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = canonicalHeaderName(line.slice(0, Math.max(colon, 0)).trim());
    const value = line.slice(colon + 1).trim();
    if (name === 'via') appendVias(headers, value);
    else if (REPEATED.has(name) && !headers.has(name)) headers.set(name, value);
  }
  return headers.has('via') ? new SipRequest(method, '', headers) : null;
}

/** The lines up to the first empty one, or to the end, unfolded. Line ends without CR are read as well. */
function headerLines(bytes: Buffer): string[] {
  const text = bytes.toString('latin1', 0, SIP_LIMITS.messageBytes).replace(/^[\r\n]+/, '');
  const end = /\n\r?\n/.exec(text)?.index ?? text.length;
  return text
    .slice(0, end)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split('\n')
    .map((line) => line.replace(/[\r\0]/g, ' ').trimEnd());
}

function appendVias(headers: SipHeaders, value: string): void {
  for (const via of splitOutsideQuotes(value, ',')) {
    if (via !== '' && headers.all('via').length < SIP_LIMITS.headers) headers.append('via', via);
  }
}
