import { parse } from 'csv-parse/browser/esm/sync';

/** Enough for any header and some rows; the file itself is never held in memory. */
const PREVIEW_BYTES = 262_144;
const SAMPLE_ROWS = 3;
const QUOTE = 0x22;
const LINE_BREAK = 0x0a;
const PHONE_NAME = /phone|telefone|celular|fone|whats|n[uú]mero|^tel$/i;
const PHONE_VALUE = /^\+?\d[\d ().-]{7,}$/;
const CONTACT_NAME = /^secondary_contact_\d{1,2}$/i;

export type Meaning = 'phone' | 'variable' | 'contact' | 'ignore';

export interface Column {
  readonly name: string;
  readonly sample: string;
  readonly meaning: Meaning;
  /** As which it reaches the prompt. */
  readonly variable: string;
}

export interface CsvFile {
  readonly file: File;
  readonly delimiter: ',' | ';';
  readonly columns: readonly Column[];
  /** Where the first row begins. */
  readonly bodyAt: number;
}

/** Reads the beginning of a file. @returns null for a file without a header and a row @throws when it is no CSV */
export async function readHeader(file: File): Promise<CsvFile | null> {
  const bytes = new Uint8Array(await file.slice(0, PREVIEW_BYTES).arrayBuffer());
  const bodyAt = headerEnd(bytes);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const header = decoder.decode(bytes.subarray(0, bodyAt));
  const delimiter = header.split(';').length > header.split(',').length ? ';' : ',';
  const options = {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  };
  const names = parse(header, options)[0];
  const rest = decoder.decode(bytes.subarray(bodyAt));
  // The last line may be cut off by the end of the preview.
  const whole = bytes.byteLength < PREVIEW_BYTES ? rest : rest.slice(0, rest.lastIndexOf('\n'));
  const rows = parse(whole, { ...options, to: SAMPLE_ROWS });
  if (!names || rows.length === 0) return null;
  return { file, delimiter, columns: guessed(names, rows), bodyAt };
}

/** The same rows under the names that the import understands; one without a name is left out by it. */
export function withMeanings({ file, delimiter, bodyAt }: CsvFile, columns: readonly Column[]): File {
  let contacts = 0;
  const names = columns.map(({ name, meaning, variable }) => {
    if (meaning === 'phone') return 'phone_number';
    if (meaning === 'contact') return CONTACT_NAME.test(name) ? name : `secondary_contact_${++contacts}`;
    return meaning === 'variable' ? variable.trim() : '';
  });
  const header = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(delimiter);
  return new File([`${header}\n`, file.slice(bodyAt)], file.name, { type: 'text/csv' });
}

function guessed(names: readonly string[], rows: readonly (readonly string[])[]): Column[] {
  const valuesOf = (at: number) => rows.map((row) => row[at] ?? '');
  const byName = names.findIndex((name) => PHONE_NAME.test(name) && !CONTACT_NAME.test(name));
  const byValue = names.findIndex((_name, at) => valuesOf(at).some((value) => PHONE_VALUE.test(value)));
  const phone = byName === -1 ? byValue : byName;
  return names.map((name, at) => ({
    name,
    sample: valuesOf(at).find((value) => value !== '') ?? '',
    meaning: meaningOf(name, at === phone),
    variable: name.trim().toLowerCase().replaceAll(/\s+/g, '_'),
  }));
}

function meaningOf(name: string, isPhone: boolean): Meaning {
  if (isPhone) return 'phone';
  if (CONTACT_NAME.test(name)) return 'contact';
  return name.trim() === '' ? 'ignore' : 'variable';
}

/** After the first line break that is in no quotes, in bytes: a text that is not UTF-8 has other lengths once it is decoded. */
function headerEnd(bytes: Uint8Array): number {
  let isQuoted = false;
  for (const [at, byte] of bytes.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    if (byte === LINE_BREAK && !isQuoted) return at + 1;
  }
  return bytes.length;
}
