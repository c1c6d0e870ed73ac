import { describe, expect, it } from '@jest/globals';
import { BoundedExports } from './bounded-exports.js';
import { csvLine, csvReply } from './csv-export.js';

describe('csvLine', () => {
  it('quotes every cell, and doubles the quotes in it', () => {
    expect(csvLine(['a', 'say "hi"', 1.5, true, null])).toBe('"a","say ""hi""","1.5","true",""\r\n');
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+cmd|"/C calc"!A1', `'+cmd|""/C calc""!A1`],
    ['-2+3', "'-2+3"],
    ['\t=1', "\t'=1"],
    [' =1', " '=1"],
    ['\r=1', "\r'=1"],
    ['\uFF1D1+1', "'\uFF1D1+1"],
    // Where the sheet of the reader divides cells by semicolons, quotes in the middle of a line count for nothing.
    ['a;=1+1', "a;'=1+1"],
    ['a\n@b', "a\n'@b"],
    ['a\t=b', "a\t'=b"],
  ])('keeps %j from being run as a formula', (cell, safe) => {
    expect(csvLine([cell])).toBe(`"${safe}"\r\n`);
  });

  it.each(['+5511987654321', '-12.5', '+3', '42', '3,14', 'a-b', 'a = b', 'ana@example.com', '{"a":-1}', ''])(
    'leaves %j as it is',
    (cell) => {
      expect(csvLine([cell])).toBe(`"${cell.replaceAll('"', '""')}"\r\n`);
    },
  );
});

describe('csvReply', () => {
  /** An export of rows that are large, in batches of 250. */
  const exportOf = (rows: number, cell: string) => {
    const all = Array.from({ length: rows }, (_, id) => ({ id }));
    return new BoundedExports().begin(1, {
      fileName: 'rows',
      header: ['id', 'text'],
      rows,
      read: async (after, limit) => {
        const from = after ? after.id + 1 : 0;
        return all.slice(from, from + limit);
      },
      placeOf: ({ id }) => ({ createdAt: '', id }),
      toCells: ({ id }) => [id, cell],
    });
  };

  it('writes all rows, however they are divided', async () => {
    for (const rows of [0, 1, 250, 251, 600]) {
      let text = '';
      for await (const chunk of csvReply(exportOf(rows, 'a')).getStream()) text += String(chunk);
      const lines = Array.from({ length: rows }, (_, id) => `"${id}","a"\r\n`);
      expect(text).toBe(`\uFEFF"id","text"\r\n${lines.join('')}`);
    }
  });

  it.each([['\t'.repeat(64_000)], ['=\n'.repeat(16_000)], ['"'.repeat(64_000)]])(
    'lets other work go on between rows',
    async (cell) => {
      let turns = 0;
      let longestMs = 0;
      let lastMs = performance.now();
      const timer = setInterval(() => {
        turns++;
        longestMs = Math.max(longestMs, performance.now() - lastMs);
        lastMs = performance.now();
      }, 1);
      let size = 0;
      for await (const chunk of csvReply(exportOf(500, cell)).getStream()) size += String(chunk).length;
      clearInterval(timer);
      expect(size).toBeGreaterThan(500 * 32_000);
      expect(turns).toBeGreaterThan(20);
      expect(longestMs).toBeLessThan(250);
    },
  );
});
