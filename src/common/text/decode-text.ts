export interface TextHints {
  /** What the sender says of the bytes: a label of the Encoding standard, or a usual misspelling of one. */
  readonly charset?: string | undefined;
  /** The bytes end where a limit has cut them; half a character at their end is left out. */
  readonly isCut?: boolean;
}

/** Of a document, in which it may name its own charset. */
const PROLOG_BYTES = 4_096;
const XML_PROLOG = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']\s*([^"'\s>]+)/i;
const HTML_META = /<meta\s[^<>]{0,500}?\bcharset\s*=\s*(?:["']\s*)?([^"'\s;/>]+)/i;
const MARKUP = /^\s*</;
/** Of an ISO-8859-1 text, as Windows reads it: every byte is a character. */
const FALLBACK = 'windows-1252';

/**
 * Bytes as text. The charset is that of the first of these: a byte order mark, the sender, the document (XML prolog,
 * HTML meta), the look of the bytes. Bytes that the charset does not know become U+FFFD, and the rest of the text
 * stays readable.
 *
 * The named charset is not used where the bytes contradict it:
 *
 * - Text in a charset of one byte a character is read as UTF-8 when it is valid UTF-8 with characters beyond ASCII.
 * - So is text in an Asian charset in which it has wrong bytes.
 * - Text that is called UTF-8 is read as windows-1252 when most of its characters beyond ASCII are no UTF-8.
 *
 * @see https://encoding.spec.whatwg.org/#decode
 */
export function decodeText(bytes: Uint8Array, { charset, isCut = false }: TextHints = {}): string {
  const label = markedCharset(bytes) ?? likelyCharset(bytes, known(charset) ?? namedCharset(bytes));
  return decodeAs(label, bytes, isCut);
}

/** Bytes of a known charset as text. */
export function decodeAs(label: string, bytes: Uint8Array, isCut = false): string {
  const decoder = new TextDecoder(label);
  // As a stream: in one piece, Node.js 20 takes windows-1252 for ISO-8859-1, and quotes and € become control characters.
  const text = decoder.decode(bytes, { stream: true });
  return isCut ? text : text + decoder.decode();
}

/** The charset that a Content-Type names. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*(?:["']\s*)?([^\s"';,]+)/i.exec(contentType ?? '')?.[1];
}

function markedCharset(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** What the document says of itself, if it is one. */
function namedCharset(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, PROLOG_BYTES)).toString('latin1');
  const start = beginning.trimStart();
  if (!MARKUP.test(beginning)) return undefined;
  const label = known((XML_PROLOG.exec(start) ?? HTML_META.exec(start))?.[1]);
  // Who can read the name one byte a character has not read UTF-16.
  return label?.startsWith('utf-16') ? 'utf-8' : label;
}

/** The name of the charset in the Encoding standard; undefined for one that it does not know. */
function known(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  const spelled = label.trim().toLowerCase();
  // `latin-1`, `utf_8`, `cp-1252`, `windows1252`
  const joined = spelled.replaceAll(/[-_\s]/g, '').replace(/^(?:cp|win(?:dows)?)(?=125)/, 'windows-');
  for (const name of [spelled, joined]) {
    try {
      return new TextDecoder(name).encoding;
    } catch {
      // Not a label: the other spelling, or what the bytes look like.
    }
  }
  return joined === 'ansi' ? FALLBACK : undefined;
}

function likelyCharset(bytes: Uint8Array, named: string | undefined): string {
  const wide = wideCharset(bytes);
  if (named === undefined && wide) return wide;
  const { characters, wrong } = utf8Count(bytes);
  if (named !== undefined && named !== 'utf-8' && !isSingleByte(named)) {
    return wrong === 0 && characters > 0 && !isValid(bytes, named) ? 'utf-8' : named;
  }
  if (named === undefined || named === 'utf-8') return wrong > characters ? FALLBACK : 'utf-8';
  return wrong === 0 && characters > 0 ? 'utf-8' : named;
}

function isValid(bytes: Uint8Array, charset: string): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(bytes);
    return true;
  } catch {
    // That is the answer: the bytes are no text in this charset.
    return false;
  }
}

function isSingleByte(charset: string): boolean {
  return /^(?:windows-\d+|iso-8859-|koi8|ibm866|macintosh|x-mac)/.test(charset);
}

/** UTF-16 without a mark: in a text of mostly ASCII, every second byte is zero. */
export function wideCharset(bytes: Uint8Array): string | undefined {
  const looked = Math.min(bytes.length & ~1, 256);
  let even = 0;
  let odd = 0;
  for (let at = 0; at < looked; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const most = looked * 0.35;
  if (looked < 4 || (even > 0 && odd > 0)) return undefined;
  if (odd >= most) return 'utf-16le';
  return even >= most ? 'utf-16be' : undefined;
}

/** How many characters beyond ASCII are UTF-8, and how many bytes are none. One that is cut at the end counts for neither. */
function utf8Count(bytes: Uint8Array): { readonly characters: number; readonly wrong: number } {
  let characters = 0;
  let wrong = 0;
  for (let at = 0; at < bytes.length;) {
    const lead = bytes[at] ?? 0;
    const length = lead < 0x80 ? 1 : lengthOf(lead);
    let end = at + 1;
    while (end < at + length && isContinuation(bytes[end])) end++;
    if (length === 0 || (end < at + length && end < bytes.length)) wrong++;
    else if (length > 1 && end === at + length) characters++;
    at = end;
  }
  return { characters, wrong };
}

/** Of a UTF-8 character by its first byte; 0 for a byte that begins none. */
function lengthOf(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte <= 0xbf;
}
