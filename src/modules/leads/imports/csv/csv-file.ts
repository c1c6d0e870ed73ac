import { type CsvLine, readLines } from './csv-lines.js';
import { type CsvRecord, CsvRecordReader, delimiterOf } from './csv-records.js';

/** A CSV file that is read as it arrives: the header first, then the records, as many as a line completes. */
export class CsvFile {
  private constructor(
    /** Null for a file without a header row. */
    readonly header: readonly string[] | null,
    private readonly first: readonly CsvRecord[],
    private readonly lines: AsyncGenerator<readonly CsvLine[]>,
    private readonly reader: CsvRecordReader,
  ) {}

  static async open(chunks: AsyncIterable<Uint8Array>): Promise<CsvFile> {
    const lines = readLines(chunks);
    for (let step = await lines.next(); !step.done; step = await lines.next()) {
      const start = step.value.findIndex((line) => line.text.trim() !== '');
      const [top, ...others] = start === -1 ? [] : step.value.slice(start);
      if (!top) continue;
      const reader = new CsvRecordReader(delimiterOf(top.text));
      const [header, ...first] = [top, ...others].flatMap((line) => reader.push(line));
      return new CsvFile(header && 'fields' in header ? header.fields : null, first, lines, reader);
    }
    return new CsvFile(null, [], lines, new CsvRecordReader(','));
  }

  async *records(): AsyncGenerator<readonly CsvRecord[]> {
    yield this.first;
    for await (const lines of this.lines) {
      // Line by line, so that whoever reads a large chunk can let others go first in the middle of it.
      for (const line of lines) yield this.reader.push(line);
    }
    yield this.reader.end();
  }
}
