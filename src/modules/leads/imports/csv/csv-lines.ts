import { withHead } from '../file/with-head.js';
import { HEAD_BYTES, LineDecoder, type Utf16, utf16Of } from './text-encoding.js';

/** Longer lines are no leads: this bounds what a file without line ends can hold in memory. */
export const MAX_LINE_LENGTH = 65_536;

const UTF8_MARK = '\xEF\xBB\xBF';
const BYTE_ORDER_MARK = '\uFEFF';

export interface CsvLine {
  /** From 1, as an editor counts. */
  readonly number: number;
  readonly text: string;
  /** The rest of the line was thrown away. */
  readonly isTooLong: boolean;
}

/**
 * Cuts bytes into lines, as many at a time as a chunk completes. `\r\n`, `\n` and `\r` end a line. The encoding is found
 * out: UTF-8, UTF-16 or Windows-1252, with a byte order mark or without. What is none of them becomes U+FFFD.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvLine[]> {
  const { head, whole } = await withHead(chunks, HEAD_BYTES);
  const encoding = utf16Of(head);
  const lines = encoding === null ? linesOfBytes(whole) : linesOfText(whole, encoding);
  yield* lines;
}

async function* linesOfText(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Utf16,
): AsyncGenerator<readonly CsvLine[]> {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  const cutter = new LineCutter(BYTE_ORDER_MARK);
  for await (const chunk of chunks) yield cutter.push(decoder.decode(chunk, { stream: true }));
  yield cutter.push(decoder.decode());
  yield cutter.end();
}

async function* linesOfBytes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvLine[]> {
  const cutter = new LineCutter(UTF8_MARK);
  const decoder = new LineDecoder<CsvLine>();
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    yield decoder.push(cutter.push(bytes.toString('latin1')));
  }
  yield [...decoder.push(cutter.end()), ...decoder.end()];
}

class LineCutter {
  private rest = '';
  private restIsCut = false;
  private number = 0;

  /** @param mark what the first line may begin with, which is no part of it */
  constructor(private readonly mark: string) {}

  push(text: string): CsvLine[] {
    const parts = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    const rest = parts.pop() ?? '';
    const lines = parts.map((part) => this.line(part));
    // It may be the first half of a line end.
    const end = rest.endsWith('\r') ? '\r' : '';
    const isCut = rest.length - end.length > MAX_LINE_LENGTH;
    this.rest = isCut ? rest.slice(0, MAX_LINE_LENGTH + 1) + end : rest;
    this.restIsCut ||= isCut;
    return lines;
  }

  end(): CsvLine[] {
    const last = this.rest.replace(/\r$/, '');
    return last === '' ? [] : [this.line(last)];
  }

  private line(part: string): CsvLine {
    const isTooLong = this.restIsCut || part.length > MAX_LINE_LENGTH;
    this.restIsCut = false;
    const isFirst = ++this.number === 1;
    const text = isFirst && part.startsWith(this.mark) ? part.slice(this.mark.length) : part;
    return { number: this.number, text, isTooLong };
  }
}
