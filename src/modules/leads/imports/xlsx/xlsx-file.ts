import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import type { TableFile, TableRecord } from '../file/table-record.js';
import type { SheetLine } from './workbook-reply.js';
import { convertWorkbook } from './workbook-process.js';

/** The first sheet of a workbook (Office Open XML). It has to be there as a whole before it can be read. */
export class XlsxFile implements TableFile {
  private constructor(
    readonly first: TableRecord | null,
    readonly firstText: string,
    private readonly rest: AsyncIterator<string>,
    private readonly folder: string,
  ) {}

  /** @throws WorkbookError */
  static async open(chunks: AsyncIterable<Uint8Array>): Promise<XlsxFile> {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-sheet-'));
    try {
      const workbook = join(folder, 'workbook.xlsx');
      const rows = join(folder, 'rows.jsonl');
      await pipeline(chunks, createWriteStream(workbook));
      await convertWorkbook(workbook, rows);
      await rm(workbook);
      const lines = createInterface({ input: createReadStream(rows) })[Symbol.asyncIterator]();
      const step = await lines.next();
      const first = step.done ? null : recordOf(step.value);
      const firstText = first && 'fields' in first ? first.fields.join('; ') : '';
      return new XlsxFile(first, firstText, lines, folder);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async *records(): AsyncGenerator<readonly TableRecord[]> {
    for (let step = await this.rest.next(); !step.done; step = await this.rest.next()) {
      yield [recordOf(step.value)];
    }
  }

  async close(): Promise<void> {
    await this.rest.return?.();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function recordOf(text: string): TableRecord {
  const [line, fields] = JSON.parse(text) as SheetLine;
  return { line, fields };
}
