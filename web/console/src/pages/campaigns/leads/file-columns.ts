import type { LeadFileColumnsResponse } from '#client/types.gen.js';

const PHONE_NAME = /phone|telefone|celular|fone|whats|n[uú]mero|^tel$/i;
const PHONE_VALUE = /^['’=" ]*(?:tel:)?\+?\(?\d[\d ().–-]{7,}"?$/;
const CONTACT_NAME = /^secondary_contact_\d{1,2}$/i;
/** Enough for the rows that a preview reads; a workbook can only be read whole. */
const BEGINNING_BYTES = 1_048_576;
const ZIP = [0x50, 0x4b];

export type Meaning = 'phone' | 'variable' | 'contact' | 'ignore';

export interface Column {
  /** Name in the header; empty if the file has no header. */
  readonly name: string;
  readonly sample: string;
  readonly meaning: Meaning;
  /** Name of the variable in the prompt. */
  readonly variable: string;
}

export interface LeadFile {
  readonly file: File;
  /** The part of the file that the preview needs. */
  readonly beginning: File;
  readonly columns: readonly Column[];
  /** Whether the first row is a contact instead of a header. */
  readonly firstRowIsLead: boolean;
}

/** The first part of a file, enough for a preview. */
export async function beginningOf(file: File): Promise<File> {
  const head = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  const isZip = ZIP.every((byte, at) => head[at] === byte);
  return isZip || file.size <= BEGINNING_BYTES
    ? file
    : new File([file.slice(0, BEGINNING_BYTES)], file.name, { type: file.type });
}

/** Guesses the meaning of each column. */
export function guessed({ columns, first_row_is_lead: isLead }: LeadFileColumnsResponse): Column[] {
  const values = columns.map(({ name, samples }) => (isLead ? [name, ...samples] : samples));
  const names = columns.map(({ name }) => (isLead ? '' : name));
  const byName = names.findIndex((name) => PHONE_NAME.test(name) && !CONTACT_NAME.test(name));
  const byValue = values.findIndex((samples) => samples.some((value) => PHONE_VALUE.test(value)));
  const phone = byName === -1 ? byValue : byName;
  return names.map((name, at) => ({
    name,
    sample: values[at]?.find((value) => value !== '') ?? '',
    meaning: meaningOf(name, at === phone),
    variable: name.trim(),
  }));
}

/** Column names for the import. The import ignores a column without a name. */
export function namesOf(columns: readonly Column[]): string[] {
  let contacts = 0;
  return columns.map(({ name, meaning, variable }) => {
    if (meaning === 'phone') return 'phone_number';
    if (meaning === 'contact') return CONTACT_NAME.test(name) ? name : `secondary_contact_${++contacts}`;
    return meaning === 'variable' ? variable.trim() : '';
  });
}

function meaningOf(name: string, isPhone: boolean): Meaning {
  if (isPhone) return 'phone';
  if (CONTACT_NAME.test(name)) return 'contact';
  return name.trim() === '' ? 'ignore' : 'variable';
}
