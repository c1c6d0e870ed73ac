/** Longer lines are no leads: this bounds what a file without line ends can hold in memory. */
export const MAX_LINE_LENGTH = 65_536;

export interface CsvLine {
  /** From 1, as an editor counts. */
  readonly number: number;
  readonly text: string;
  /** The rest of the line was thrown away. */
  readonly isTooLong: boolean;
}

/**
 * Cuts bytes into lines, as many at a time as a chunk completes. A byte order mark is dropped, bytes that are not
 * UTF-8 become U+FFFD, and `\r\n`, `\n` and `\r` end a line.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly CsvLine[]> {
  const decoder = new TextDecoder('utf-8');
  const cutter = new LineCutter();
  for await (const chunk of chunks) yield cutter.push(decoder.decode(chunk, { stream: true }));
  yield cutter.push(decoder.decode());
  yield cutter.end();
}

class LineCutter {
  private rest = '';
  private restIsCut = false;
  private number = 0;

  push(text: string): CsvLine[] {
    const parts = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    const rest = parts.pop() ?? '';
    const lines = parts.map((part) => this.line(part));
    this.rest = rest.slice(0, MAX_LINE_LENGTH + 1);
    this.restIsCut ||= rest.length > MAX_LINE_LENGTH;
    return lines;
  }

  end(): CsvLine[] {
    const last = this.rest.replace(/\r$/, '');
    return last === '' ? [] : [this.line(last)];
  }

  private line(part: string): CsvLine {
    const isTooLong = this.restIsCut || part.length > MAX_LINE_LENGTH;
    this.restIsCut = false;
    return { number: ++this.number, text: part, isTooLong };
  }
}
