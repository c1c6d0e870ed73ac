import { isUtf8 } from 'node:buffer';
import { decodeAs } from '#src/common/text/decode-text.js';

/** A lead byte of UTF-8 with all of its continuation bytes, in a text whose characters are bytes. */
const UTF8_SEQUENCE = /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}/g;
const NOT_ASCII = /[\x80-\xFF]/;
/** Bytes of Windows-1252 that have no character: they are read as control characters. */
const UNASSIGNED = /[\x80-\x9F]/g;
const REPLACEMENT = '\u{FFFD}';
/** How much of a file is read ahead where its first letter that is not ASCII leaves its encoding open. */
const WINDOW_BYTES = 65_536;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export type Utf16 = 'utf-16le' | 'utf-16be';

/** The first bytes of a file that are enough to know UTF-16 by: a mark, or the empty half of an ASCII character. */
export const HEAD_BYTES = 4;

/** UTF-16 with its byte order; null for an encoding in which ASCII characters are single bytes. */
export function utf16Of(head: Uint8Array): Utf16 | null {
  const [first, second, third, fourth] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0 && second !== 0 && second !== undefined && (third === 0 || third === undefined))
    return 'utf-16be';
  if (first !== 0 && second === 0 && third !== 0 && (fourth === 0 || fourth === undefined)) return 'utf-16le';
  return null;
}

/** A line, as bytes until its encoding is known. */
interface Line {
  readonly text: string;
}

/**
 * Decodes the lines of a file that is UTF-8 or Windows-1252, where the first letters decide. Lines come as texts whose
 * characters are bytes. While letters leave the encoding open, lines are kept back; nothing depends on how the file arrives.
 */
export class LineDecoder<L extends Line> {
  private encoding: 'utf-8' | 'windows-1252' | null = null;
  private kept: L[] = [];
  private keptBytes = 0;

  push(lines: readonly L[]): L[] {
    return lines.flatMap((line) => this.next(line));
  }

  end(): L[] {
    return this.release();
  }

  private next(line: L): L[] {
    if (this.encoding !== null) return [this.decoded(line)];
    if (this.kept.length === 0) {
      if (!NOT_ASCII.test(line.text)) return [line];
      if (isUtf8(bytesOf(line.text))) this.encoding = 'utf-8';
      if (this.encoding !== null) return [this.decoded(line)];
    }
    this.kept.push(line);
    this.keptBytes += line.text.length + 1;
    return this.keptBytes >= WINDOW_BYTES ? this.release() : [];
  }

  /** One wrong byte does not make a file of another encoding: what there is more of decides. */
  private release(): L[] {
    const { kept } = this;
    this.kept = [];
    if (kept.length === 0) return [];
    let sequences = 0;
    let others = 0;
    for (const { text } of kept) {
      const rest = text.replace(UTF8_SEQUENCE, '');
      others += rest.replace(/[^\x80-\xFF]/g, '').length;
      sequences += text.match(UTF8_SEQUENCE)?.length ?? 0;
    }
    this.encoding = sequences >= others ? 'utf-8' : 'windows-1252';
    return kept.map((line) => this.decoded(line));
  }

  private decoded(line: L): L {
    const { text } = line;
    if (!NOT_ASCII.test(text)) return line;
    // A line of UTF-8 in a file of Windows-1252: files are put together of several.
    const isUtf8Line = this.encoding === 'utf-8' || isUtf8(bytesOf(text));
    return { ...line, text: isUtf8Line ? utf8.decode(bytesOf(text)) : fromWindows1252(text) };
  }
}

function fromWindows1252(text: string): string {
  return decodeAs('windows-1252', bytesOf(text)).replace(UNASSIGNED, REPLACEMENT);
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
