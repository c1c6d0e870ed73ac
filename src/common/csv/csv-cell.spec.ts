import { describe, expect, it } from '@jest/globals';
import { constantFrom, array, assert, property, string, oneof } from 'fast-check';
import { csvCell, MAX_CELL_LENGTH } from './csv-cell.js';

/** The content of a cell, as a reader of CSV sees it. */
const contentOf = (cell: string) => csvCell(cell).slice(1, -1).replaceAll('""', '"');

/** Milliseconds that a cell takes, at best. */
function timeOf(cell: string): number {
  const times = Array.from({ length: 7 }, () => {
    const startedAt = performance.now();
    csvCell(cell);
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

describe('csvCell', () => {
  it.each([['\t'], ['\r\n'], [' '], ['\n '], [';'], ['=\t'], [';=']])(
    'takes no more than in proportion to the length of a cell of %j',
    (piece) => {
      const cellOf = (length: number) => `x${piece.repeat(length / piece.length)}x`;
      csvCell(cellOf(8_000));
      const few = Math.max(timeOf(cellOf(4_000)), 0.05);
      expect(timeOf(cellOf(32_000))).toBeLessThan(few * 40);
    },
  );

  it('takes as long for megabytes as for the part that is kept', () => {
    expect(timeOf(';='.repeat(4_000_000))).toBeLessThan(Math.max(timeOf(';='.repeat(20_000)), 0.05) * 20);
  });

  it('disarms the same signs as an expression that tries each place', () => {
    const slow = /(^|[;\t\r\n])([ \t\r\n]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
    const text = array(
      oneof(
        constantFrom('=', '+', '-', '@', '\uFF1D', ';', ' ', '\t', '\r', '\n', 'a'),
        string({ maxLength: 2 }),
      ),
      {
        maxLength: 30,
      },
    ).map((pieces) => `${pieces.join('')}z`);
    assert(property(text, (cell) => contentOf(cell) === cell.replace(slow, "$1$2'")));
  });

  it.each([MAX_CELL_LENGTH, MAX_CELL_LENGTH - 1])('keeps a cell of %d characters whole', (length) => {
    expect(contentOf('a'.repeat(length))).toBe('a'.repeat(length));
  });

  it.each([
    ['one character more', 'a'.repeat(MAX_CELL_LENGTH + 1)],
    ['a book', 'palavra '.repeat(50_000)],
    ['characters of two units', '😀'.repeat(20_000)],
    ['characters of two units, one further', `a${'😀'.repeat(20_000)}`],
    ['signs that are disarmed', ';='.repeat(MAX_CELL_LENGTH / 2)],
    ['digits', '1'.repeat(40_000).concat('x')],
  ])('cuts %s to what a spreadsheet shows, and says so', (_what, cell) => {
    const content = contentOf(cell);
    expect(content.length).toBeLessThanOrEqual(MAX_CELL_LENGTH);
    expect(content.length).toBeGreaterThanOrEqual(MAX_CELL_LENGTH - 1);
    expect(content).toMatch(/… \[cut: the cell has \d+ characters, and a spreadsheet shows 32767\]$/);
    expect(content).toContain(` ${cell.length} `);
    expect(content.isWellFormed()).toBe(true);
  });

  it('cuts a number that is longer than a cell', () => {
    expect(contentOf('9'.repeat(40_000)).length).toBe(MAX_CELL_LENGTH);
  });
});
