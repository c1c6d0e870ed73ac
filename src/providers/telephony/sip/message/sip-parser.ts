import { parseCommandSequence, parseNameAddress, parseVia, splitOutsideQuotes } from './header-values.js';
import { canonicalHeaderName, isListHeader, SipHeaders } from './sip-headers.js';
import { SIP_LIMITS } from './sip-limits.js';
import { type SipMessage, SipRequest, SipResponse } from './sip-message.js';

/**
 * `malformed` with a request is one that can be answered: its Via, From, To, Call-ID and CSeq are readable, and `status`
 * is what RFC 3261 has for it. Without one it is dropped.
 */
export type ParsedSipMessage =
  | { readonly kind: 'message'; readonly message: SipMessage }
  | {
      readonly kind: 'malformed';
      readonly reason: string;
      readonly status: number;
      readonly request: SipRequest | null;
    };

const REQUEST_LINE = /^([\w.!%*+`'~-]{1,64}) (\S+) (SIP\/\d{1,8}\.\d{1,8})$/i;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/is;
const HEADER_NAME = /^[\w.!%*+`'~-]{1,128}$/;

/** Header fields every message must have (RFC 3261 §8.1.1), exactly once but for Via. */
const REQUIRED = ['via', 'from', 'to', 'call-id', 'cseq'] as const;
const SINGLE = ['from', 'to', 'call-id', 'cseq', 'max-forwards', 'content-length', 'content-type'] as const;

/**
 * Parses one message, a datagram or what stream framing cut out. Never throws, whatever the bytes are, and takes time in
 * proportion to their number. A body longer than Content-Length says is cut off, a shorter one is an error (RFC 3261 §18.3).
 *
 */
export function parseSipMessage(bytes: Buffer): ParsedSipMessage {
  if (bytes.length > SIP_LIMITS.messageBytes) return malformed('message too long');
  const start = skipLineEnds(bytes);
  const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
  if (end < 0) return malformed('no end of headers');
  if (end - start > SIP_LIMITS.headerSectionBytes) return malformed('headers too long');
  const [startLine = '', ...lines] = unfold(bytes.toString('latin1', start, end)).split('\r\n');
  const headers = readHeaders(lines);
  if (typeof headers === 'string') return malformed(headers);
  const missing = REQUIRED.find((name) => !headers.has(name));
  if (missing) return malformed(`no ${missing}`);
  const status = STATUS_LINE.exec(startLine);
  if (status)
    return finishResponse(new SipResponse(Number(status[1]), status[2] ?? '', headers), bytes, end + 4);
  const request = REQUEST_LINE.exec(startLine);
  if (!request) return malformed('start line');
  const [, method = '', uri = '', version = ''] = request;
  return finishRequest(new SipRequest(method, uri, headers), version, bytes, end + 4);
}

function finishResponse(response: SipResponse, bytes: Buffer, bodyAt: number): ParsedSipMessage {
  const fault = faultOf(response) ?? readBody(response, bytes, bodyAt);
  return fault ? malformed(fault.reason) : { kind: 'message', message: response };
}

function finishRequest(
  request: SipRequest,
  version: string,
  bytes: Buffer,
  bodyAt: number,
): ParsedSipMessage {
  const answerable =
    request.via !== null && request.from !== null && request.to !== null && request.method !== 'ACK';
  const answer = (reason: string, status: number) => malformed(reason, status, answerable ? request : null);
  if (version.toUpperCase() !== 'SIP/2.0') return answer('version', 505);
  const fault = faultOf(request) ?? readBody(request, bytes, bodyAt);
  if (fault) return answer(fault.reason, fault.status);
  if (request.cseq.method !== request.method) return answer('CSeq names another method', 400);
  if (request.uri.length > SIP_LIMITS.uriBytes) return answer('Request-URI too long', 414);
  // `<sip:…>` is a frequent mistake which RFC 4475 §3.1.2.7 has refused.
  if (/[<>"]/.test(request.uri)) return answer('Request-URI', 400);
  return { kind: 'message', message: request };
}

interface Fault {
  readonly reason: string;
  readonly status: number;
}

function faultOf(message: SipMessage): Fault | null {
  const { headers } = message;
  const repeated = SINGLE.find((name) => headers.all(name).length > 1);
  if (repeated) return { reason: `${repeated} more than once`, status: 400 };
  if (headers.all('via').some((value) => parseVia(value) === null)) return { reason: 'via', status: 400 };
  for (const name of ['from', 'to'] as const) {
    if (parseNameAddress(headers.get(name) ?? '') === null) return { reason: name, status: 400 };
  }
  if (message.callId === '' || /\s/.test(message.callId)) return { reason: 'call-id', status: 400 };
  if (parseCommandSequence(headers.get('cseq') ?? '') === null) return { reason: 'cseq', status: 400 };
  const forwards = headers.get('max-forwards');
  if (forwards !== undefined && !/^\d{1,9}$/.test(forwards)) return { reason: 'max-forwards', status: 400 };
  return null;
}

function readBody(message: SipMessage, bytes: Buffer, bodyAt: number): Fault | null {
  const declared = message.headers.get('content-length');
  const present = bytes.length - bodyAt;
  if (declared !== undefined && !/^\d{1,9}$/.test(declared)) return { reason: 'content-length', status: 400 };
  const length = declared === undefined ? present : Number(declared);
  if (length > present) return { reason: 'body shorter than Content-Length', status: 400 };
  if (length > SIP_LIMITS.bodyBytes) return { reason: 'body too long', status: 413 };
  // A copy: the datagram's buffer may be part of a larger pool, which a kept body would keep alive.
  if (length > 0) message.body = Buffer.from(bytes.subarray(bodyAt, bodyAt + length));
  return null;
}

/** The header fields, or what is wrong with them. */
function readHeaders(lines: readonly string[]): SipHeaders | string {
  if (lines.length > SIP_LIMITS.headers) return 'too many headers';
  const headers = new SipHeaders();
  let values = 0;
  for (const line of lines) {
    if (line.length > SIP_LIMITS.headerLineBytes) return 'header too long';
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (!HEADER_NAME.test(name) || line.includes('\0')) return 'header line';
    const canonical = canonicalHeaderName(name);
    const value = line.slice(colon + 1).trim();
    if (!isListHeader(canonical)) {
      headers.append(canonical, value);
      continue;
    }
    for (const element of splitOutsideQuotes(value, ',')) {
      if (element === '') continue;
      if (++values > SIP_LIMITS.headers) return 'too many header values';
      headers.append(canonical, element);
    }
  }
  return headers;
}

/** Joins lines that are folded onto the next (RFC 3261 §7.3.1). */
function unfold(section: string): string {
  return /\r\n[ \t]/.test(section) ? section.replace(/\r\n[ \t]+/g, ' ') : section;
}

/** Empty lines before the start line are ignored (RFC 3261 §7.5). */
function skipLineEnds(bytes: Buffer): number {
  let index = 0;
  while (bytes[index] === 13 || bytes[index] === 10) index++;
  return index;
}

function malformed(reason: string, status = 400, request: SipRequest | null = null): ParsedSipMessage {
  return { kind: 'malformed', reason, status, request };
}
