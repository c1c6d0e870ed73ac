import type { FieldIssue } from '#src/common/errors/domain-error.js';
import { toE164 } from '#src/common/phone/e164.js';
import { hasLostDigits } from '#src/common/phone/written-number.js';
import { render, text, type TextKey } from '#src/i18n/catalogue.js';
import { LANGUAGES, type TextRef } from '#src/i18n/text.js';
import { columnNamesIn, PHONE_COLUMN } from '../file/column-names.js';
import { type LeadDetails, MAX_SECONDARY_CONTACTS } from '../../lead-details.js';

/** What Prosa itself adds to a file of refused rows, which comes back corrected. */
const OF_REFUSALS: ReadonlySet<string> = new Set(
  (['leads.refused_line_column', 'leads.refusal_reason_column'] as const).flatMap((key) =>
    LANGUAGES.map((language) => render(text(key), language)),
  ),
);
/** Fewer are no phone number. */
const MIN_DIGITS = /(?:\p{Nd}\P{Nd}*){8}/u;
/** `secondary_contact_1` is a number, `secondary_contact_1_name` a variable of that contact. */
const CONTACT_COLUMN = /^secondary_contact_(\d{1,2})(?:_(.+))?$/i;
const MAX_COLUMNS = 200;
/** `="0123"`, by which a spreadsheet keeps digits as text, and the apostrophe that does the same. */
const TEXT_FORMULA = /^'?=\s*"([^"]*)"$/;
const TEXT_MARK = /^'(?=[=+\-@\d])/;
/** What the decoder puts where bytes are of no character. */
const NOT_UTF8 = '\u{FFFD}';

interface ContactColumns {
  readonly phone: number;
  readonly variables: readonly Variable[];
}

interface Variable {
  readonly name: string;
  readonly at: number;
}

/** A row read by its columns: a lead, why it is none, or null for a row with nothing in it. */
export type LeadRow = { readonly lead: LeadDetails } | { readonly refused: TextRef<TextKey> } | null;

/** What the columns of a file mean. */
export class LeadColumns {
  private constructor(
    readonly names: readonly string[],
    private readonly phone: number,
    private readonly variables: readonly Variable[],
    private readonly contacts: readonly ContactColumns[],
    private readonly country: string,
  ) {}

  /**
   * @param country two-letter code for numbers without a country code
   * @returns the columns, or what is wrong with the header
   */
  static of(header: readonly string[] | null, country: string): LeadColumns | FieldIssue {
    const names = columnNamesIn(header ?? []);
    if (names.length === 0) return issue('leads.import_no_header');
    if (names.some(isUnreadable)) return issue('leads.import_header_characters');
    if (names.length > MAX_COLUMNS) return issue('leads.import_columns', { max: MAX_COLUMNS });
    const repeated = names.find((name, at) => name !== '' && names.indexOf(name) !== at);
    if (repeated !== undefined) return issue('leads.import_repeated_column', { column: repeated });
    const phone = names.indexOf(PHONE_COLUMN);
    if (phone === -1) return issue('leads.import_no_phone_column');
    const contacts = contactsOf(names);
    const taken = new Set([
      phone,
      ...contacts.flatMap(({ phone, variables }) => [phone, ...variables.map(({ at }) => at)]),
    ]);
    const variables = names.flatMap((name, at) =>
      name === '' || taken.has(at) || OF_REFUSALS.has(name) ? [] : [{ name, at }],
    );
    return new LeadColumns(names, phone, variables, contacts, country);
  }

  /** Names of the columns that become variables of a lead. */
  get variableNames(): string[] {
    return this.variables.map(({ name }) => name);
  }

  /** Every number of a row that can be read as one, in whichever column. */
  numbersIn(fields: readonly string[]): string[] {
    const numbers = fields
      .filter((field) => MIN_DIGITS.test(field))
      .map((field) => toE164(field, this.country));
    return [...new Set(numbers.filter((number) => number !== null))];
  }

  read(fields: readonly string[]): LeadRow {
    if (fields.every((field) => field === '')) return null;
    if (fields.length > this.names.length && fields.slice(this.names.length).some((field) => field !== '')) {
      return {
        refused: text('leads.row_columns', { found: fields.length, expected: this.names.length }),
      };
    }
    if (fields.some(isUnreadable)) return { refused: text('leads.row_characters') };
    const phoneNumber = this.numberIn(fields, this.phone);
    if (typeof phoneNumber !== 'string') return { refused: phoneNumber };
    const secondaryContacts: LeadDetails[] = [];
    for (const { phone, variables } of this.contacts) {
      if (isEmpty(fields, phone)) continue;
      const contactNumber = this.numberIn(fields, phone);
      if (typeof contactNumber !== 'string') return { refused: contactNumber };
      secondaryContacts.push({ phoneNumber: contactNumber, variables: valuesOf(fields, variables) });
    }
    return { lead: { phoneNumber, variables: valuesOf(fields, this.variables), secondaryContacts } };
  }

  private numberIn(fields: readonly string[], at: number): string | TextRef<TextKey> {
    const column = this.names[at] ?? PHONE_COLUMN;
    if (isEmpty(fields, at)) return text('leads.row_phone_missing', { column });
    const written = fields[at] ?? '';
    const reason = hasLostDigits(written) ? 'leads.row_phone_digits' : 'leads.row_phone_invalid';
    return toE164(written, this.country) ?? text(reason, { column });
  }
}

function contactsOf(names: readonly string[]): ContactColumns[] {
  const columns = names.map((name, at) => ({ at, contact: contactOf(name) }));
  return Array.from({ length: MAX_SECONDARY_CONTACTS }, (_, i) => i + 1).flatMap((number) => {
    const own = columns.filter(({ contact }) => contact?.number === number);
    const phone = own.find(({ contact }) => contact?.variable === undefined)?.at;
    if (phone === undefined) return [];
    const variables = own.flatMap(({ at, contact }) =>
      contact?.variable === undefined ? [] : [{ name: contact.variable, at }],
    );
    return [{ phone, variables }];
  });
}

function contactOf(name: string): { number: number; variable: string | undefined } | null {
  const match = CONTACT_COLUMN.exec(name);
  if (!match) return null;
  const number = Number(match[1]);
  return number >= 1 && number <= MAX_SECONDARY_CONTACTS ? { number, variable: match[2] } : null;
}

function valuesOf(fields: readonly string[], variables: readonly Variable[]): Record<string, string> {
  return Object.fromEntries(
    variables.flatMap(({ name, at }) => (isEmpty(fields, at) ? [] : [[name, valueOf(fields[at] ?? '')]])),
  );
}

/** A value as the sheet shows it. */
function valueOf(field: string): string {
  return (TEXT_FORMULA.exec(field)?.[1] ?? field).replace(TEXT_MARK, '');
}

/** Neither a value nor the name of a variable: PostgreSQL takes no NUL. */
function isUnreadable(field: string): boolean {
  return field.includes('\0') || field.includes(NOT_UTF8);
}

function isEmpty(fields: readonly string[], at: number): boolean {
  return (fields[at] ?? '') === '';
}

function issue(key: TextKey, params: Record<string, string | number> = {}): FieldIssue {
  return { field: 'file', text: text(key, { field: 'file', ...params }) };
}
