import { CsvError, parse } from 'csv-parse/sync';
import { type CsvLine, MAX_LINE_LENGTH } from './csv-lines.js';

/** A quoted field may hold line ends; one that goes on for longer was not meant to. */
const MAX_LINES_PER_RECORD = 50;

export type CsvRecord =
  | { readonly line: number; readonly fields: readonly string[] }
  | { readonly line: number; readonly refused: 'quotes' | 'too-long' };

/**
 * Makes records of lines. A record is read on its own, so that a wrong one spoils no other: where a quote opens and
 * the record that it makes cannot be read, the line alone is refused and reading goes on with the line after it.
 */
export class CsvRecordReader {
  private open: CsvLine[] = [];
  private openLength = 0;
  private isQuoteOpen = false;

  constructor(private readonly delimiter: string) {}

  push(line: CsvLine): CsvRecord[] {
    if (this.open.length === 0 && line.text === '' && !line.isTooLong) return [];
    this.open.push(line);
    this.openLength += line.text.length + 1;
    if (countQuotes(line.text) % 2 === 1) this.isQuoteOpen = !this.isQuoteOpen;
    if (line.isTooLong || this.openLength > MAX_LINE_LENGTH + 1) return this.refuseFirst();
    if (!this.isQuoteOpen) return this.close();
    return this.open.length > MAX_LINES_PER_RECORD ? this.refuseFirst() : [];
  }

  end(): CsvRecord[] {
    const records: CsvRecord[] = [];
    while (this.open.length > 0) records.push(...this.refuseFirst());
    return records;
  }

  private close(): CsvRecord[] {
    const [first] = this.open;
    if (!first) return [];
    const fields = this.split(this.open.map((line) => line.text).join('\n'));
    if (!fields) return this.refuseFirst();
    this.reset();
    return [{ line: first.number, fields }];
  }

  /** Gives up the line the open record began on, and reads those after it again. */
  private refuseFirst(): CsvRecord[] {
    const [first, ...others] = this.open;
    this.reset();
    if (!first) return [];
    const refused = first.isTooLong ? 'too-long' : 'quotes';
    return [{ line: first.number, refused }, ...others.flatMap((line) => this.push(line))];
  }

  private reset(): void {
    this.open = [];
    this.openLength = 0;
    this.isQuoteOpen = false;
  }

  private split(text: string): string[] | null {
    // Nothing to interpret, and by far the most rows.
    if (!text.includes('"')) return text.split(this.delimiter).map((field) => field.trim());
    try {
      const [fields = []] = parse(text, { delimiter: this.delimiter, trim: true });
      return fields;
    } catch (error) {
      if (error instanceof CsvError) return null;
      throw error;
    }
  }
}

/** The delimiter of a header row: the one of `,` and `;` that occurs more often outside quotes. */
export function delimiterOf(header: string): ',' | ';' {
  const bare = header.replace(/"[^"]*"/g, '');
  return bare.split(';').length > bare.split(',').length ? ';' : ',';
}

function countQuotes(text: string): number {
  return text.includes('"') ? text.split('"').length - 1 : 0;
}
