import { describe, expect, it } from '@jest/globals';
import { csvLine } from './csv-export.js';

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
