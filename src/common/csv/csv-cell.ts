export type CsvCell = string | number | boolean | null;

/** What a cell of Excel holds, in UTF-16 units ([specifications](https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3)). */
export const MAX_CELL_LENGTH = 32_767;

const NUMBER = /^[+-]?\d+([.,]\d+)?$/;
/** Signs that a spreadsheet takes for the start of a formula, also in full width. */
const FORMULA_SIGNS = new Set('=+-@\uFF1D\uFF0B\uFF0D\uFF20');
/** After these signs a spreadsheet may begin a new cell. */
const CELL_ENDS = new Set(';\t\r\n');

/** One cell in quotes (RFC 4180 §2), cut at the length at which spreadsheets cut it without notice. */
export function csvCell(cell: CsvCell): string {
  const text = cell === null ? '' : String(cell);
  return `"${safeText(text).replaceAll('"', '""')}"`;
}

function safeText(text: string): string {
  if (text.length <= MAX_CELL_LENGTH && NUMBER.test(text)) return text;
  // What is beyond the limit is not looked at: a cell may have megabytes.
  const safe = disarmed(text.slice(0, MAX_CELL_LENGTH));
  if (text.length <= MAX_CELL_LENGTH && safe.length <= MAX_CELL_LENGTH) return safe;
  const mark = `… [cut: the cell has ${text.length} characters, and a spreadsheet shows ${MAX_CELL_LENGTH}]`;
  const kept = safe.slice(0, MAX_CELL_LENGTH - mark.length);
  return `${withoutHalfCharacter(kept)}${mark}`;
}

/**
 * Puts an apostrophe before each sign that would begin a formula. That is at the start of the cell, or of a part that
 * a spreadsheet may split off. Reads each character once.
 */
function disarmed(text: string): string {
  let safe = '';
  let copied = 0;
  let isStart = true;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (isStart && FORMULA_SIGNS.has(sign)) {
      safe += `${text.slice(copied, at)}'`;
      copied = at;
    }
    isStart = CELL_ENDS.has(sign) || (isStart && sign === ' ');
  }
  return safe + text.slice(copied);
}

/** Without the first half of a character of two UTF-16 units at the end. */
function withoutHalfCharacter(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text;
}
