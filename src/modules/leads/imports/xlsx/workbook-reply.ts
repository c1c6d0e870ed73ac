import type { WorkbookLimits } from './workbook-limits.js';

/** Why a workbook was not read. */
export type WorkbookFailure = 'unreadable' | 'hostile' | 'encrypted' | 'rows' | 'too-slow' | 'too-large';

/** To be read: a workbook, and where its first sheet is written, a row a line as {@link SheetLine}. */
export interface WorkbookRequest {
  readonly path: string;
  readonly output: string;
  readonly limits: WorkbookLimits;
}

export type WorkbookReply = { readonly rows: number } | { readonly failure: WorkbookFailure };

/** Number of a row, from 1, and its cells. */
export type SheetLine = readonly [line: number, fields: readonly string[]];
