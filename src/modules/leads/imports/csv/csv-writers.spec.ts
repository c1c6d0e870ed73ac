import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { TableRecord } from '../file/table-record.js';
import { isPhoneColumn } from '../file/column-names.js';
import { CsvFile } from './csv-file.js';

async function* chunksOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (let n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function read(bytes: Uint8Array, sizes: readonly number[]) {
  const file = await CsvFile.open(chunksOf(bytes, sizes), isPhoneColumn);
  const records: TableRecord[] = file.first ? [file.first] : [];
  for await (const some of file.records()) records.push(...some);
  return records;
}

const fieldsOf = (records: readonly TableRecord[]) =>
  records.map((record) => ('fields' in record ? record.fields : record));

const RUNS = 400;

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with a mark': (text) => Buffer.from(`\uFEFF${text}`),
  'UTF-16 LE': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'UTF-16 LE without a mark': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16 BE': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  'UTF-16 BE without a mark': (text) => Buffer.from(text, 'utf16le').swap16(),
  'Windows-1252': (text) => Buffer.from(text, 'latin1'),
};

/** How programs write a field. */
const WRITERS: Readonly<Record<string, (field: string, by: string) => string>> = {
  'Excel and LibreOffice': (field, by) =>
    /["\r\n]/.test(field) || field.includes(by) ? quoted(field) : field,
  'CRMs, all quoted': quoted,
};

function quoted(field: string): string {
  return `"${field.replaceAll('"', '""')}"`;
}

/** Of what people write in Portuguese, in each of the encodings. */
const letters = fc.constantFrom(...'abcXYZ019 áâãàçéêíóôõúÜñº€-.,;|\'"\t\n'.replace('€', '').split(''));
const field = fc.string({ unit: letters, maxLength: 10 }).map((text) => text.trim());
const row = fc.tuple(field, field, field);
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });

const table = fc.record({
  encoding: fc.constantFrom(...Object.keys(ENCODINGS)),
  writer: fc.constantFrom(...Object.keys(WRITERS)),
  by: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  isNamed: fc.boolean(),
  header: fc.constantFrom('Nome\nCompleto', 'Valor (R$)', 'Endereço; nº', 'E-mail, principal', 'nome'),
  rows: fc.array(row, { minLength: 1, maxLength: 12 }),
});

/** A table as a program writes it. */
function written({
  encoding,
  writer,
  by,
  lineEnd,
  isNamed,
  header,
  rows,
}: Parameters<typeof expectedOf>[0]): Buffer {
  const cell = (value: string) => WRITERS[writer]!(value, by).replaceAll('\n', lineEnd);
  const lines = [['phone_number', header, 'obs'], ...rows].map((cells) => cells.map(cell).join(by));
  const text = `${isNamed ? `sep=${by}${lineEnd}` : ''}${lines.join(lineEnd)}${lineEnd}`;
  return ENCODINGS[encoding]!(text);
}

function expectedOf({
  header,
  rows,
}: {
  encoding: string;
  writer: string;
  by: string;
  lineEnd: string;
  isNamed: boolean;
  header: string;
  rows: readonly (readonly string[])[];
}): (readonly string[])[] {
  return [['phone_number', header, 'obs'], ...rows];
}

/** Two letters of Windows-1252, such as `Üº`, may be one of UTF-8: then nothing tells the two encodings apart. */
const UTF8_SEQUENCE = /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}/;

/** A row of nothing but delimiters and blanks is an empty line to some writers. */
const isBlank = (fields: readonly string[]) => fields.every((value) => value === '');

describe('A CSV file', () => {
  it('gives back what was written, in each writing, encoding, separator, line end and cut', async () => {
    await fc.assert(
      fc.asyncProperty(table, sizes, async (given, cut) => {
        fc.pre(given.encoding !== 'Windows-1252' || !UTF8_SEQUENCE.test(written(given).toString('latin1')));
        const found = fieldsOf(await read(written(given), cut));
        expect(found.filter((fields) => !Array.isArray(fields) || !isBlank(fields))).toEqual(
          expectedOf(given).filter((fields) => !isBlank(fields)),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('means the same however it is cut, whatever its bytes', async () => {
    const bytes = fc.array(
      fc.oneof(
        fc.constantFrom(...'a,;"\r\n\t=sep'.split('').map((letter) => Buffer.from(letter))),
        fc.constantFrom(
          Buffer.from('é'),
          Buffer.from('é', 'latin1'),
          Buffer.from([0xc3]),
          Buffer.from([0, 0xff, 0xfe]),
        ),
      ),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(bytes, sizes, async (parts, cut) => {
        const whole = Buffer.concat(parts);
        expect(await read(whole, cut)).toEqual(await read(whole, [Math.max(1, whole.length)]));
      }),
      { numRuns: 400 },
    );
  });

  it('takes one wrong byte of UTF-8 for what it is, and a page of Windows-1252 for what that is', async () => {
    const utf8 = Buffer.concat([
      Buffer.from('phone_number,nome\n1,Jo'),
      Buffer.from([0xe3]),
      Buffer.from('o\n2,João\n'),
    ]);
    expect(fieldsOf(await read(utf8, [7]))).toEqual([
      ['phone_number', 'nome'],
      ['1', 'Jo\u{FFFD}o'],
      ['2', 'João'],
    ]);
    const ansi = Buffer.from('phone_number;nome\n1;João\n2;\x80 5\n3;\x81\n', 'latin1');
    expect(fieldsOf(await read(ansi, [1]))).toEqual([
      ['phone_number', 'nome'],
      ['1', 'João'],
      ['2', '€ 5'],
      ['3', '\u{FFFD}'],
    ]);
  });

  it('keeps lines of UTF-8 in a file of Windows-1252', async () => {
    const mixed = Buffer.concat([
      Buffer.from('a\nJoão\nInês\nAção\nÉ\n', 'latin1'),
      Buffer.alloc(70_000, 'x\n'),
      Buffer.from('José\n'),
    ]);
    expect(fieldsOf(await read(mixed, [999])).at(-1)).toEqual(['José']);
  });

  it('names the separator that makes a column of numbers, where several are possible', async () => {
    const text = 'phone_number;a, b, c, d\n1;x\n';
    expect(fieldsOf(await read(Buffer.from(text), [3]))[0]).toEqual(['phone_number', 'a, b, c, d']);
  });

  it('does not tell a line that is as long as lines may be from its line end', async () => {
    const text = `a\r\n${'x'.repeat(65_536)}\r\nb\r\n`;
    const whole = await read(Buffer.from(text), [text.length]);
    for (const cut of [65_539, 65_540, 65_541]) expect(await read(Buffer.from(text), [cut])).toEqual(whole);
    expect(whole).toHaveLength(3);
  });
});
