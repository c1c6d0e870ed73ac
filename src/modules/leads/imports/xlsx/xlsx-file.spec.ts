import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { inline, number, raw, workbookOf } from '#test/support/workbook.js';
import { zipOf } from '#test/support/zip.js';
import { dateText, numberText } from './cell-text.js';
import { WORKBOOK_LIMITS } from './workbook-limits.js';
import { WorkbookError } from './workbook-check.js';
import { convertWorkbook } from './workbook-process.js';
import { XlsxFile } from './xlsx-file.js';

async function* chunksOf(bytes: Uint8Array, size = 1_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Uint8Array) {
  const file = await XlsxFile.open(chunksOf(bytes));
  const records = file.first ? [file.first] : [];
  for await (const some of file.records()) records.push(...some);
  await file.close();
  return records.map((record) => ('fields' in record ? [record.line, ...record.fields] : record));
}

const foldersLeft = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('prosa-sheet-'));

async function failureOf(bytes: Uint8Array): Promise<unknown> {
  try {
    await read(bytes);
    return null;
  } catch (error) {
    return error instanceof WorkbookError ? error.failure : error;
  }
}

describe('XlsxFile', () => {
  it('reads texts, numbers with all their digits, dates and truth values', async () => {
    const workbook = workbookOf([
      ['phone_number', 'nome', 'valor', 'nascimento', 'visita', 'hora', 'cliente'],
      [
        number('5511987654321'),
        'José & <Cia>',
        number('1290.9'),
        number('33970', 1),
        number('45992.60416666667', 2),
        number('0.75', 3),
        raw('<c r="@" t="b"><v>1</v></c>'),
      ],
      [number('5.511987654322E12'), inline(' João '), number('0.30000000000000004')],
      null,
      ['+55 11 98765-4323', '', number('12345678901234567890')],
    ]);
    expect(await read(workbook)).toEqual([
      [1, 'phone_number', 'nome', 'valor', 'nascimento', 'visita', 'hora', 'cliente'],
      [2, '5511987654321', 'José & <Cia>', '1290.9', '1993-01-01', '2025-12-01 14:30', '18:00', 'true'],
      [3, '5511987654322', 'João', '0.3'],
      [5, '+55 11 98765-4323', '', '12345678901234567890'],
    ]);
    expect(await foldersLeft()).toEqual([]);
  });

  it('reads rich texts, errors of formulas as nothing, and results of formulas', async () => {
    const workbook = workbookOf([
      [
        raw('<c r="@" t="inlineStr"><is><r><t>Nome </t></r><r><t>Completo</t></r></is></c>'),
        raw('<c r="@" t="e"><f>1/0</f><v>#DIV/0!</v></c>'),
        raw('<c r="@" t="str"><f>"a"&amp;"b"</f><v>ab</v></c>'),
      ],
    ]);
    expect(await read(workbook)).toEqual([[1, 'Nome Completo', '', 'ab']]);
  });

  it('has no first row in an empty sheet', async () => {
    expect(await read(workbookOf([]))).toEqual([]);
  });

  it.each([
    ['a zip of something else', zipOf([{ name: 'mimetype', content: Buffer.from('x') }]), 'unreadable'],
    ['half a workbook', workbookOf([['a']]).subarray(0, 400), 'unreadable'],
    [
      'a part that is larger than it says',
      workbookOf([['a']], { name: 'xl/x.xml', content: Buffer.alloc(100_000), claimedSize: 10 }),
      'unreadable',
    ],
    ['a bomb', workbookOf([['a']], { name: 'xl/x.bin', content: Buffer.alloc(20_000_000) }), 'hostile'],
    [
      'entities',
      workbookOf([['a']], { name: 'xl/x.xml', content: Buffer.from('<!DOCTYPE x [<!ENTITY a "b">]><x/>') }),
      'hostile',
    ],
    [
      'a row far below',
      workbookOf([[raw('<c r="@"><v>1</v></c></row><row r="900000000"><c r="A900000000"><v>1</v></c>')]]),
      expect.stringMatching(/too-large|too-slow|unreadable/),
    ],
  ])('refuses %s', async (_what, bytes, failure) => {
    expect(await failureOf(bytes)).toEqual(failure);
    expect(await foldersLeft()).toEqual([]);
  });

  it('bounds rows and time', async () => {
    const file = await XlsxFile.open(chunksOf(workbookOf([['a'], ['b']])));
    const path = `${(file as unknown as { folder: string }).folder}/again.xlsx`;
    const { writeFile } = await import('node:fs/promises');
    await writeFile(path, workbookOf([['a'], ['b'], ['c']]));
    const limits = { ...WORKBOOK_LIMITS, rows: 2 };
    await expect(convertWorkbook(path, `${path}.out`, limits)).rejects.toMatchObject({ failure: 'rows' });
    const late = { ...WORKBOOK_LIMITS, timeoutMs: 1 };
    await expect(convertWorkbook(path, `${path}.out`, late)).rejects.toMatchObject({ failure: 'too-slow' });
    await file.close();
    expect(existsSync(path)).toBe(false);
  });
});

describe('numberText', () => {
  it.each([
    ['5511987654321', '5511987654321'],
    ['5.511987654321E12', '5511987654321'],
    ['5.511987654321E+12', '5511987654321'],
    ['1E3', '1000'],
    ['1.5E-3', '0.0015'],
    ['-2.50', '-2.5'],
    ['129.90000000000001', '129.9'],
    ['0.1', '0.1'],
    ['1234567.8899999999', '1234567.89'],
    ['100', '100'],
    ['0', '0'],
    ['1.0', '1'],
    ['nonsense', 'nonsense'],
  ])('writes %s as %s', (written, text) => {
    expect(numberText(written)).toBe(text);
  });
});

describe('dateText', () => {
  it.each([
    ['2026-11-26T00:00:00.000Z', '2026-11-26'],
    ['2026-11-26T14:30:00.000Z', '2026-11-26 14:30'],
    ['2026-11-26T14:29:59.999Z', '2026-11-26 14:30'],
    ['2026-11-26T14:30:15.000Z', '2026-11-26 14:30:15'],
    ['1899-12-30T18:00:00.000Z', '18:00'],
  ])('writes %s as %s', (date, text) => {
    expect(dateText(new Date(date))).toBe(text);
  });
});
