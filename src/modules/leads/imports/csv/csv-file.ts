import { type CsvLine, readLines } from './csv-lines.js';
import type { TableFile, TableRecord } from '../file/table-record.js';
import { CsvRecordReader, isQuoteOpenAfter } from './csv-records.js';
import { delimiterOf, namedDelimiter } from './delimiter.js';

/** A header row with more lines than this has a misplaced quote. */
const MAX_HEADER_LINES = 50;
/** Nothing but delimiters, as above a table that does not begin in the first row of its sheet. */
const EMPTY_ROW = /^[\s,;|"]*$/;

/** A CSV file that is read as it arrives: the header first, then the records, as many as a line completes. */
export class CsvFile implements TableFile {
  private constructor(
    readonly first: TableRecord | null,
    readonly firstText: string,
    private readonly others: readonly TableRecord[],
    private readonly lines: AsyncGenerator<readonly CsvLine[]>,
    private readonly reader: CsvRecordReader,
  ) {}

  /** @param isWanted names of columns by which the delimiter is known, where several are possible */
  static async open(
    chunks: AsyncIterable<Uint8Array>,
    isWanted: (name: string) => boolean = () => false,
  ): Promise<CsvFile> {
    const lines = readLines(chunks);
    const top: CsvLine[] = [];
    let named: string | null = null;
    for (let step = await lines.next(); !step.done; step = await lines.next()) {
      const arrived = step.value;
      for (const [at, line] of arrived.entries()) {
        if (top.length === 0 && EMPTY_ROW.test(line.text)) continue;
        if (top.length === 0 && named === null) {
          named = namedDelimiter(line.text);
          if (named !== null) continue;
        }
        top.push(line);
        if (isHeaderOpen(top)) continue;
        return this.with(top, arrived.slice(at + 1), lines, named, isWanted);
      }
    }
    return this.with(top, [], lines, named, isWanted);
  }

  private static with(
    top: readonly CsvLine[],
    others: readonly CsvLine[],
    lines: AsyncGenerator<readonly CsvLine[]>,
    named: string | null,
    isWanted: (name: string) => boolean,
  ): CsvFile {
    const text = top.map((line) => line.text).join('\n');
    const reader = new CsvRecordReader(named ?? delimiterOf(text, isWanted));
    const records = [...top, ...others].flatMap((line) => reader.push(line));
    if (records.length === 0) records.push(...reader.end());
    const [first = null, ...rest] = records;
    return new CsvFile(first, text, rest, lines, reader);
  }

  async *records(): AsyncGenerator<readonly TableRecord[]> {
    yield this.others;
    for await (const lines of this.lines) {
      // Line by line, so that the reader of a large chunk can yield to other work in the middle of it.
      for (const line of lines) yield this.reader.push(line);
    }
    yield this.reader.end();
  }

  async close(): Promise<void> {
    await this.lines.return(undefined);
  }
}

/** Whether the header continues in the next line: a quote is open. */
function isHeaderOpen(top: readonly CsvLine[]): boolean {
  if (top.length > MAX_HEADER_LINES || top.some(({ isTooLong }) => isTooLong)) return false;
  return top.reduce((isOpen, { text }) => isQuoteOpenAfter(text, isOpen), false);
}
