import { parseParameters } from './header-values.js';
import { canonicalHeaderName, type SipHeaders } from './sip-headers.js';

/** A body, or a part of a `multipart` body that is none itself. */
export interface BodyPart {
  /** Without parameters, in lower case. */
  readonly type: string;
  /** What it is for: `session` is the session of this dialog, and the default of SDP (RFC 3261 §20.11). */
  readonly disposition: string;
  /** Whether the sender would have the message refused by a recipient that does not know the type. */
  readonly isRequired: boolean;
  readonly content: Buffer;
}

/** Bodies that are nested deeper, or have more parts, are read no further. Real ones have two or three parts. */
const MAX_DEPTH = 4;
const MAX_PARTS = 20;
/** RFC 2046 §5.1.1 allows 70 characters. */
const MAX_BOUNDARY_LENGTH = 200;

type Fields = (name: string) => string;

/**
 * The parts of a body, in the order of the sender's preference: all parts of a multipart body (RFC 5621) as they come, of
 * `multipart/alternative` the last first. An ordinary body is one part.
 */
export function bodyPartsOf(headers: SipHeaders, body: Buffer): BodyPart[] {
  if (body.length === 0) return [];
  return partsOf((name) => headers.get(name) ?? '', body, MAX_DEPTH).slice(0, MAX_PARTS);
}

/** The description of the session, else the empty string. One of early media alone (RFC 3959) is another session's. */
export function sessionDescriptionOf(parts: readonly BodyPart[]): string {
  const descriptions = parts.filter(
    ({ type, disposition }) => type === 'application/sdp' && disposition !== 'early-session',
  );
  const part = descriptions.find(({ disposition }) => disposition === 'session') ?? descriptions[0];
  return part?.content.toString('utf8') ?? '';
}

/** A media type in lower case, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

function partsOf(fields: Fields, content: Buffer, depth: number): BodyPart[] {
  const type = mediaTypeOf(fields('content-type'));
  const boundary = parametersOf(fields('content-type')).get('boundary') ?? '';
  if (!type.startsWith('multipart/') || boundary === '') return [leafOf(type, fields, content)];
  if (depth === 0 || boundary.length > MAX_BOUNDARY_LENGTH) return [];
  const parts = cut(content, boundary).map((section) => {
    const { fields: own, content: inner } = readSection(section);
    return partsOf(own, inner, depth - 1);
  });
  return (type === 'multipart/alternative' ? parts.toReversed() : parts).flat();
}

function leafOf(type: string, fields: Fields, content: Buffer): BodyPart {
  const value = fields('content-disposition');
  const disposition = mediaTypeOf(value) || (type === 'application/sdp' ? 'session' : 'render');
  const isRequired = parametersOf(value).get('handling')?.toLowerCase() !== 'optional';
  return { type, disposition, isRequired, content: decoded(content, fields('content-transfer-encoding')) };
}

/** What is between the delimiter lines; text before the first and after the last is a comment. */
function cut(content: Buffer, boundary: string): Buffer[] {
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const sections: Buffer[] = [];
  let begin = -1;
  for (let at = content.indexOf(delimiter); at >= 0; at = content.indexOf(delimiter, at + 1)) {
    const line = readDelimiter(content, at, delimiter.length);
    if (!line) continue;
    if (begin >= 0) sections.push(content.subarray(begin, Math.max(begin, lineEndBefore(content, at))));
    if (line.isLast || sections.length >= MAX_PARTS) return sections;
    begin = line.end;
  }
  // A message that was cut short, or a sender that leaves out the last delimiter.
  if (begin >= 0) sections.push(content.subarray(begin));
  return sections;
}

/** Null where the text is no line of its own: another boundary may begin with this one. */
function readDelimiter(
  content: Buffer,
  at: number,
  length: number,
): { readonly isLast: boolean; readonly end: number } | null {
  if (at > 0 && content[at - 1] !== LF) return null;
  let end = at + length;
  const isLast = content[end] === HYPHEN && content[end + 1] === HYPHEN;
  if (isLast) end += 2;
  while (content[end] === SPACE || content[end] === TAB) end++;
  if (content[end] === CR) end++;
  if (end < content.length && content[end] !== LF) return null;
  return { isLast, end: end + 1 };
}

/** The line end before a delimiter belongs to the delimiter. */
function lineEndBefore(content: Buffer, at: number): number {
  return content[at - 2] === CR ? at - 2 : at - 1;
}

function readSection(section: Buffer): { readonly fields: Fields; readonly content: Buffer } {
  const text = section.toString('latin1');
  // A section that begins with an empty line has no header fields.
  const empty = /^\r?\n/.exec(text) ?? /\n\r?\n/.exec(text);
  if (!empty) return { fields: () => '', content: section };
  const fields = new Map<string, string>();
  const lines = text
    .slice(0, empty.index)
    .replace(/\r?\n[ \t]+/g, ' ')
    .split('\n');
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = canonicalHeaderName(line.slice(0, Math.max(colon, 0)).trim());
    if (!fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return {
    fields: (name) => fields.get(name) ?? '',
    content: section.subarray(empty.index + empty[0].length),
  };
}

/** SIP carries bytes, so encodings of mail are rare; gateways to mail systems and some libraries use them all the same. */
function decoded(content: Buffer, encoding: string): Buffer {
  switch (encoding.toLowerCase()) {
    case 'base64':
      return Buffer.from(content.toString('latin1'), 'base64');
    case 'quoted-printable':
      return Buffer.from(
        content
          .toString('latin1')
          .replace(/=\r?\n/g, '')
          .replace(/=([\dA-F]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      );
    default:
      return content;
  }
}

function parametersOf(value: string) {
  const semicolon = value.indexOf(';');
  return parseParameters(semicolon < 0 ? '' : value.slice(semicolon));
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const HYPHEN = 45;
