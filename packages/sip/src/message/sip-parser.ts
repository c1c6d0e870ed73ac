import { readAnswerableRequest } from './answerable-request.js';
import {
  joinCutNames,
  parseCommandSequence,
  parseNameAddress,
  parseVia,
  splitOutsideQuotes,
} from './header-values.js';
import { canonicalHeaderName, isListHeader, isNameListHeader, SipHeaders } from './sip-headers.js';
import { SIP_LIMITS } from './sip-limits.js';
import { type SipMessage, SipRequest, SipResponse } from './sip-message.js';

/**
 * `malformed` with a request is one that can be refused: `status` is what RFC 3261 has for it. Without one it is dropped.
 */
export type ParsedSipMessage =
  | { readonly kind: 'message'; readonly message: SipMessage }
  | {
      readonly kind: 'malformed';
      readonly reason: string;
      readonly status: number;
      readonly request: SipRequest | null;
    };

const METHOD = /^[\w.!%*+`'~-]{1,64}$/;
const VERSION = /^SIP\/\d{1,8}\.\d{1,8}$/i;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/is;
const HEADER_NAME = /^[\w.!%*+`'~-]{1,128}$/;

/** Header fields every message must have (RFC 3261 §8.1.1), exactly once but for Via. */
const REQUIRED = ['via', 'from', 'to', 'call-id', 'cseq'] as const;
const SINGLE = ['from', 'to', 'call-id', 'cseq', 'max-forwards', 'content-length', 'content-type'] as const;

/**
 * Parses one message: a datagram, or one message of a stream. Never throws, for any bytes, and takes time in
 * proportion to their number. A body longer than Content-Length says is cut off, a shorter one is an error (RFC 3261
 * §18.3).
 */
export function parseSipMessage(bytes: Buffer): ParsedSipMessage {
  const parsed = parse(bytes);
  if ('kind' in parsed) return { kind: 'message', message: parsed };
  return { kind: 'malformed', ...parsed, request: readAnswerableRequest(bytes) };
}

function parse(bytes: Buffer): SipMessage | Fault {
  if (bytes.length > SIP_LIMITS.messageBytes) return { reason: 'message too long', status: 513 };
  const start = skipLineEnds(bytes);
  const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
  if (end < 0) return { reason: 'no end of headers', status: 400 };
  if (end - start > SIP_LIMITS.headerSectionBytes) return { reason: 'headers too long', status: 513 };
  const [startLine = '', ...lines] = unfold(bytes.toString('latin1', start, end)).split('\r\n');
  const headers = readHeaders(lines);
  if (typeof headers === 'string') return { reason: headers, status: 400 };
  const missing = REQUIRED.find((name) => !headers.has(name));
  if (missing) return { reason: `no ${missing}`, status: 400 };
  const message = readStartLine(startLine, headers);
  if (!('kind' in message)) return message;
  return faultOf(message) ?? readBody(message, bytes, end + 4) ?? message;
}

function readStartLine(line: string, headers: SipHeaders): SipMessage | Fault {
  const status = STATUS_LINE.exec(line);
  if (status) return new SipResponse(Number(status[1]), status[2] ?? '', headers);
  // Blanks between the elements and at the end are ignored (RFC 4475 §3.1.2.9, §3.1.2.10).
  const [method = '', uri = '', version = '', ...rest] = line.split(' ').filter((element) => element !== '');
  if (!METHOD.test(method) || !VERSION.test(version) || rest.length > 0)
    return { reason: 'start line', status: 400 };
  if (version.toUpperCase() !== 'SIP/2.0') return { reason: 'version', status: 505 };
  return new SipRequest(method, uri, headers);
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
  return message.kind === 'request' ? faultOfRequest(message) : null;
}

function faultOfRequest({ cseq, method, uri }: SipRequest): Fault | null {
  if (cseq.method !== method) return { reason: 'CSeq names another method', status: 400 };
  if (uri.length > SIP_LIMITS.uriBytes) return { reason: 'Request-URI too long', status: 414 };
  // `<sip:…>` is a frequent mistake which RFC 4475 §3.1.2.7 has refused.
  if (/[<>"]/.test(uri)) return { reason: 'Request-URI', status: 400 };
  return null;
}

function readBody(message: SipMessage, bytes: Buffer, bodyAt: number): Fault | null {
  const declared = message.headers.get('content-length');
  const present = bytes.length - bodyAt;
  if (declared !== undefined && !/^\d{1,9}$/.test(declared)) return { reason: 'content-length', status: 400 };
  const length = declared === undefined ? present : Number(declared);
  if (length > SIP_LIMITS.bodyBytes) return { reason: 'body too long', status: 413 };
  if (length > present) return { reason: 'body shorter than Content-Length', status: 400 };
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
    const colon = line.indexOf(':');
    if (colon < 0 || line.includes('\0')) return 'header line';
    const name = line.slice(0, colon).trimEnd();
    // A field that cannot be read and is not needed is ignored (RFC 3261 §8.2.2). One that is needed is then missing.
    if (!HEADER_NAME.test(name)) continue;
    const canonical = canonicalHeaderName(name);
    const value = line.slice(colon + 1).trim();
    if (!isListHeader(canonical)) {
      headers.append(canonical, value);
      continue;
    }
    const elements = splitOutsideQuotes(value, ',');
    for (const element of isNameListHeader(canonical) ? joinCutNames(elements) : elements) {
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
