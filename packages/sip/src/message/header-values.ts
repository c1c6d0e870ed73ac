/** Parameters of a header value or a URI: names in lower case; a parameter without a value is the empty string. */
export type SipParameters = ReadonlyMap<string, string>;

/** A name-addr or addr-spec with its header parameters: From, To, Contact, Route, Refer-To (RFC 3261 §20.10). */
export interface NameAddress {
  readonly displayName: string;
  /** As written, without the angle brackets. */
  readonly uri: string;
  readonly parameters: SipParameters;
}

export interface Via {
  /** `UDP`, `TCP`, `TLS` in capitals. */
  readonly transport: string;
  /** Without brackets. */
  readonly host: string;
  readonly port: number | null;
  readonly parameters: SipParameters;
}

export interface CommandSequence {
  readonly number: number;
  readonly method: string;
}

/** RFC 3261 §8.1.1.5: below 2^31. */
const MAX_CSEQ = 2 ** 31 - 1;

/** Each blank has one place only, so that a line of blanks that does not match is read once, not once for each of them. */
const VIA =
  /^SIP\s*\/\s*2\.0\s*\/\s*([\w.!%*+`'~-]+)\s+(\[[\da-fA-F:.]+\]|[\w.-]+)(?:\s*:\s*(\d{1,5}))?\s*(?=;|$)/i;

/** What an addr-spec begins with. */
const SCHEME = /^[a-z][\w+.-]*:/i;

/** Splits at the separator, but not inside quotes or angle brackets. */
export function splitOutsideQuotes(value: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let bracketed = false;
  for (let index = 0; index < value.length; index++) {
    const character = value[index];
    if (quoted) {
      if (character === '\\') index++;
      else if (character === '"') quoted = false;
    } else if (character === '"' && !bracketed) quoted = true;
    else if (character === '<') bracketed = true;
    else if (character === '>') bracketed = false;
    else if (character === separator && !bracketed) {
      parts.push(value.slice(start, index).trim());
      start = index + 1;
    }
  }
  parts.push(value.slice(start).trim());
  return parts;
}

/** Parses `;name=value;flag`. Of a repeated name the first counts. */
export function parseParameters(text: string): SipParameters {
  const parameters = new Map<string, string>();
  for (const part of splitOutsideQuotes(text, ';')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? '' : unquote(part.slice(equals + 1).trim());
    if (name !== '' && !parameters.has(name)) parameters.set(name, value);
  }
  return parameters;
}

/**
 * Reads a name-addr or an addr-spec. Quotes that a display name lacks are inferred (RFC 4475 §3.1.2.6, §3.1.2.15). Null for
 * anything else.
 */
export function parseNameAddress(value: string): NameAddress | null {
  const text = value.trim();
  const strict = parseStrictNameAddress(text);
  if (strict) return strict;
  const repaired = withInferredQuotes(text);
  return repaired === null ? null : parseStrictNameAddress(repaired);
}

/** The value as RFC 3261 has it written: with the quotes that a display name lacks. Any other value is returned as it is. */
export function repairNameAddress(value: string): string {
  const text = value.trim();
  if (parseStrictNameAddress(text)) return value;
  const repaired = withInferredQuotes(text);
  return repaired !== null && parseStrictNameAddress(repaired) ? repaired : value;
}

/**
 * Joins what a list of name-addrs was cut into at commas of an unquoted display name: an element with neither a bracket nor
 * a scheme is the beginning of the next one's name.
 */
export function joinCutNames(elements: readonly string[]): string[] {
  const joined: string[] = [];
  let begun = '';
  for (const element of elements) {
    const text = begun + element;
    begun = '';
    if (element === '*' || element.includes('<') || SCHEME.test(element)) joined.push(text);
    else begun = `${text}, `;
  }
  if (begun !== '') joined.push(begun.slice(0, -2));
  return joined;
}

function parseStrictNameAddress(text: string): NameAddress | null {
  const open = indexOfBracket(text);
  if (open < 0) {
    // Without brackets everything after the first semicolon belongs to the header (RFC 3261 §20.10).
    const end = text.indexOf(';');
    const uri = (end < 0 ? text : text.slice(0, end)).trim();
    if (uri === '' || /[\s"<>,]/.test(uri)) return null;
    return { displayName: '', uri, parameters: parseParameters(end < 0 ? '' : text.slice(end)) };
  }
  const close = text.indexOf('>', open);
  if (close < 0) return null;
  const uri = text.slice(open + 1, close).trim();
  const rest = text.slice(close + 1).trim();
  if (uri === '' || /[\s<>"]/.test(uri) || (rest !== '' && !rest.startsWith(';'))) return null;
  const name = text.slice(0, open).trim();
  if (name.startsWith('"') ? !/^"(?:[^"\\]|\\.)*"$/s.test(name) : /["@:;,]/.test(name)) return null;
  return { displayName: unquote(name), uri, parameters: parseParameters(rest) };
}

/**
 * Puts the display name into quotes. Only where a single pair of brackets leaves no doubt about the address: in
 * `"A <sip:a@x> <sip:b@x>` each of the two could be meant.
 */
function withInferredQuotes(text: string): string | null {
  const open = text.indexOf('<');
  const close = text.indexOf('>');
  const isSingle = open === text.lastIndexOf('<') && close === text.lastIndexOf('>');
  if (open < 1 || close < open || !isSingle) return null;
  const name = text.slice(0, open).replace(/["\\]/g, '').trim();
  return `"${name}" ${text.slice(open)}`;
}

export function parseVia(value: string): Via | null {
  const match = VIA.exec(value);
  if (!match) return null;
  const [whole, transport = '', host = '', port] = match;
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) return null;
  return {
    transport: transport.toUpperCase(),
    host: host.replace(/^\[|\]$/g, '').toLowerCase(),
    port: port === undefined ? null : Number(port),
    parameters: parseParameters(value.slice(whole.length)),
  };
}

export function parseCommandSequence(value: string): CommandSequence | null {
  const match = /^(\d{1,10})\s+([\w.!%*+`'~-]+)$/.exec(value);
  if (!match) return null;
  const [, digits = '', method = ''] = match;
  const number = Number(digits);
  return number > MAX_CSEQ ? null : { number, method };
}

/** A decimal number such as Expires or Min-SE has it; null for anything else. What follows a semicolon is left out. */
export function parseSeconds(value: string | undefined): number | null {
  const match = /^\s*(\d{1,10})\s*(?:;|$)/.exec(value ?? '');
  return match ? Math.min(Number(match[1]), 2 ** 31 - 1) : null;
}

/** A quoted string; characters outside Latin-1 become their UTF-8 bytes, one character each, as headers hold them. */
export function quote(text: string): string {
  const bytes = Buffer.from(text.replace(/[\r\n\0]/g, ' '), 'utf8').toString('latin1');
  return `"${bytes.replace(/["\\]/g, '\\$&')}"`;
}

export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  return text.slice(1, -1).replace(/\\(.)/gs, '$1');
}

/** The first `<` outside quotes, or -1. */
function indexOfBracket(text: string): number {
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === '\\') index++;
    else if (character === '"') quoted = !quoted;
    else if (character === '<' && !quoted) return index;
  }
  return -1;
}
