import { CsvError, parse } from 'csv-parse/sync';
import type { TableRecord } from '../file/table-record.js';
import { type CsvLine, MAX_LINE_LENGTH } from './csv-lines.js';

/** A quoted field may hold line ends; one with more lines than this has a misplaced quote. */
const MAX_LINES_PER_RECORD = 50;

/**
 * Makes records of lines. A record is read on its own, so that a wrong one spoils no other. Where a quote opens a
 * record that cannot be read, only its first line is refused, and reading continues with the next line.
 */
export class CsvRecordReader {
  private open: CsvLine[] = [];
  private openLength = 0;
  private isQuoteOpen = false;

  constructor(private readonly delimiter: string) {}

  push(line: CsvLine): TableRecord[] {
    if (this.open.length === 0 && line.text === '' && !line.isTooLong) return [];
    this.open.push(line);
    this.openLength += line.text.length + 1;
    this.isQuoteOpen = isQuoteOpenAfter(line.text, this.isQuoteOpen);
    if (line.isTooLong || this.openLength > MAX_LINE_LENGTH + 1) return this.refuseFirst();
    if (!this.isQuoteOpen) return this.close();
    return this.open.length > MAX_LINES_PER_RECORD ? this.refuseFirst() : [];
  }

  end(): TableRecord[] {
    const records: TableRecord[] = [];
    while (this.open.length > 0) records.push(...this.refuseFirst());
    return records;
  }

  private close(): TableRecord[] {
    const [first] = this.open;
    if (!first) return [];
    const fields = splitRecord(this.open.map((line) => line.text).join('\n'), this.delimiter);
    if (!fields) return this.refuseFirst();
    this.reset();
    return [{ line: first.number, fields }];
  }

  /** Gives up the line the open record began on, and reads those after it again. */
  private refuseFirst(): TableRecord[] {
    const [first, ...others] = this.open;
    this.reset();
    if (!first) return [];
    const refused = first.isTooLong ? 'too-long' : 'quotes';
    return [{ line: first.number, refused, text: first.text }, ...others.flatMap((line) => this.push(line))];
  }

  private reset(): void {
    this.open = [];
    this.openLength = 0;
    this.isQuoteOpen = false;
  }
}

/** The fields of a record; null for one whose quotes are out of place. */
export function splitRecord(text: string, delimiter: string): string[] | null {
  // Nothing to interpret, and by far the most rows.
  if (!text.includes('"')) return text.split(delimiter).map((field) => field.trim());
  try {
    const [fields = []] = parse(text, { delimiter, trim: true });
    return fields;
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  }
}

/** Whether a quote is open after a line, if one was or was not before it. */
export function isQuoteOpenAfter(line: string, isOpen: boolean): boolean {
  return countQuotes(line) % 2 === 1 ? !isOpen : isOpen;
}

function countQuotes(text: string): number {
  return text.includes('"') ? text.split('"').length - 1 : 0;
}
