import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { CsvFile } from './csv-file.js';
import { MAX_LINE_LENGTH } from './csv-lines.js';
import type { TableRecord } from '../file/table-record.js';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(content: string | Uint8Array, chunkSize = 65_536) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const file = await CsvFile.open(chunksOf(bytes, chunkSize));
  const records: TableRecord[] = [];
  for await (const some of file.records()) records.push(...some);
  const { first } = file;
  return { header: first && 'fields' in first ? first.fields : null, records };
}

describe('CsvFile', () => {
  it('reads header and records with the lines they begin on', async () => {
    expect(await read('phone_number,name\n+1,Ana\n+2,Bia\n')).toEqual({
      header: ['phone_number', 'name'],
      records: [
        { line: 2, fields: ['+1', 'Ana'] },
        { line: 3, fields: ['+2', 'Bia'] },
      ],
    });
  });

  it.each([
    ['semicolons', 'a;b\n1,5;2', [['1,5', '2']]],
    ['commas', 'a,b\n1;5,2', [['1;5', '2']]],
    ['a delimiter inside quoted names', '"a,b,c";d\n1;2', [['1', '2']]],
    ['a byte order mark', '\uFEFFa,b\n1,2', [['1', '2']]],
    [
      'windows line ends',
      'a,b\r\n1,2\r\n3,4\r\n',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    [
      'old line ends',
      'a,b\r1,2\r3,4\r',
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    ['blank lines before and between', '\n \na,b\n\n1,2\n\n', [['1', '2']]],
    ['spaces around fields', ' a , b \n 1 , "2" ', [['1', '2']]],
    ['quoted delimiters and doubled quotes', 'a,b\n"1,5","say ""hi"""', [['1,5', 'say "hi"']]],
    [
      'line ends inside quotes',
      'a,b\n1,"two\nlines"\n3,4',
      [
        ['1', 'two\nlines'],
        ['3', '4'],
      ],
    ],
    [
      'empty fields',
      'a,b,c\n,,\n1,,3',
      [
        ['', '', ''],
        ['1', '', '3'],
      ],
    ],
  ])('understands %s', async (_name, content, expected) => {
    for (const chunkSize of [1, 3, 65_536]) {
      const { header, records } = await read(content, chunkSize);
      expect(header?.length).toBe(expected[0]?.length);
      expect(records.map((record) => ('fields' in record ? record.fields : record))).toEqual(expected);
    }
  });

  it('has no header in an empty file', async () => {
    expect(await read('')).toEqual({ header: null, records: [] });
    expect(await read('\n\n')).toEqual({ header: null, records: [] });
  });

  it('refuses a line with a quote that never closes, and reads every line after it', async () => {
    const { records } = await read('a,b\n1,"open\n2,x\n3,y\n');
    expect(records).toEqual([
      { line: 2, refused: 'quotes', text: '1,"open' },
      { line: 3, fields: ['2', 'x'] },
      { line: 4, fields: ['3', 'y'] },
    ]);
  });

  it('refuses lines with stray quotes alone, however they pair up', async () => {
    const { records } = await read('a,b\n1,"open\n2,x\n3,"again"y\n4,"z"\n5,q"\n6,w');
    expect(
      records.map((record) => ('fields' in record ? record.fields[0] : `refused ${record.line}`)),
    ).toEqual(['refused 2', '2', 'refused 4', '4', 'refused 6', '6']);
  });

  it('refuses a line without end, keeping only a piece of it, and goes on', async () => {
    const long = 'x'.repeat(MAX_LINE_LENGTH * 5);
    const { records } = await read(`a,b\n1,${long}\n2,ok\n3,"${long}\n4,"${long}"\n5,ok`, 10_000);
    expect(records).toEqual([
      { line: 2, refused: 'too-long', text: expect.any(String) },
      { line: 3, fields: ['2', 'ok'] },
      { line: 4, refused: 'too-long', text: expect.any(String) },
      { line: 5, refused: 'too-long', text: expect.any(String) },
      { line: 6, fields: ['5', 'ok'] },
    ]);
  });

  it('marks bytes that are not UTF-8 and keeps the other lines', async () => {
    const bytes = Buffer.concat([Buffer.from('a\nJo'), Buffer.from([0xe3]), Buffer.from('o\nAção\n')]);
    const { records } = await read(bytes, 2);
    expect(records).toEqual([
      { line: 2, fields: ['Jo\u{FFFD}o'] },
      { line: 3, fields: ['Ação'] },
    ]);
  });

  it('gives back what was written, whatever the fields, the delimiter and the chunks', async () => {
    const field = fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .map((text) => text.replace(/[\r\0\uFEFF\u{FFFD}]/gu, '').trim());
    const rows = fc.array(fc.tuple(field, field, field), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(',', ';'),
        fc.integer({ min: 1, max: 50 }),
        async (fields, by, size) => {
          const quoted = fields.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(by));
          const { records } = await read([`a${by}b${by}c`, ...quoted].join('\n'), size);
          expect(records.map((record) => ('fields' in record ? record.fields : record))).toEqual(fields);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('accounts for every line of garbage: taken with all its text, or refused', async () => {
    const line = fc.string({ unit: fc.constantFrom('"', ',', 'a', ' ', '1'), minLength: 1, maxLength: 8 });
    const contentOf = (texts: readonly string[]) => texts.join('').replace(/[^a1]/g, '');
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const { records } = await read(['x,y', ...lines].join('\n'));
        const begins = [...records.map((record) => record.line - 2), lines.length];
        expect(begins[0]).toBe(0);
        records.forEach((record, at) => {
          const span = lines.slice(begins[at], begins[at + 1]);
          if ('fields' in record) expect(contentOf(record.fields)).toBe(contentOf(span));
          else expect(span).toHaveLength(1);
        });
      }),
      { numRuns: 500 },
    );
  });
});
