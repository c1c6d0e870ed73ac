import { zipOf, type ZipEntry } from './zip.js';

/** A cell as a sheet has it: a shared text, or the XML of anything else. */
export type WorkbookCell = string | { readonly xml: string };

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** A number with a style: 0 is general, 1 is a date, 2 a date with time, 3 a time of day. */
export const number = (digits: string, style = 0): WorkbookCell => ({
  xml: `<c r="@" s="${style}"><v>${digits}</v></c>`,
});
export const inline = (text: string): WorkbookCell => ({
  xml: `<c r="@" t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
});
export const raw = (xml: string): WorkbookCell => ({ xml });

/** An XLSX workbook with one sheet, its texts shared; null is a row without cells. */
export function workbookOf(
  rows: readonly (readonly WorkbookCell[] | null)[],
  ...more: readonly ZipEntry[]
): Buffer {
  const shared: string[] = [];
  const sheet = rows.map((cells, at) => rowXml(cells ?? [], at + 1, shared)).join('');
  return zipOf([
    part(
      '[Content_Types].xml',
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    ),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Contatos" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation(
        'rId2',
        'sharedStrings',
        'sharedStrings.xml',
      )}${relation('rId3', 'styles', 'styles.xml')}</Relationships>`,
    ),
    part(
      'xl/styles.xml',
      `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="20"/></cellXfs></styleSheet>`,
    ),
    part(
      'xl/sharedStrings.xml',
      `<sst xmlns="${MAIN}">${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    ),
    part(
      'xl/worksheets/sheet1.xml',
      `<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`,
    ),
    ...more,
  ]);
}

function rowXml(cells: readonly WorkbookCell[], row: number, shared: string[]): string {
  const xml = cells.map((cell, at) => {
    const place = `${columnOf(at)}${row}`;
    if (typeof cell !== 'string') return cell.xml.replace('"@"', `"${place}"`);
    if (cell === '') return '';
    return `<c r="${place}" t="s"><v>${shared.push(cell) - 1}</v></c>`;
  });
  return `<row r="${row}">${xml.join('')}</row>`;
}

function columnOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : columnOf(Math.floor(at / 26) - 1) + letter;
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
}

function part(name: string, xml: string): ZipEntry {
  return { name, content: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`) };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
