import { describe, expect, it } from '@jest/globals';
import { LeadColumns } from './lead-columns.js';

const PHONE = '+5511987654321';
const OTHER = '+5511912345678';

function columnsOf(...header: string[]): LeadColumns {
  const columns = LeadColumns.of(header, 'BR');
  if (!(columns instanceof LeadColumns)) throw new Error(columns.text.key);
  return columns;
}

describe('LeadColumns', () => {
  it('takes phone_number in E.164 and every other filled column as a variable', () => {
    expect(columnsOf('name', 'Phone_Number', 'city').read(['Ana', '(11) 98765-4321', ''])).toEqual({
      lead: { phoneNumber: PHONE, variables: { name: 'Ana' }, secondaryContacts: [] },
    });
  });

  it('reads secondary contacts with their variables, in the order of their numbers', () => {
    const columns = columnsOf(
      'phone_number',
      'secondary_contact_2',
      'secondary_contact_1',
      'secondary_contact_1_name',
      'secondary_contact_3_name',
    );
    expect(columns.read([PHONE, OTHER, '+5511955554444', 'Bia', 'left alone'])).toEqual({
      lead: {
        phoneNumber: PHONE,
        variables: { secondary_contact_3_name: 'left alone' },
        secondaryContacts: [
          { phoneNumber: '+5511955554444', variables: { name: 'Bia' } },
          { phoneNumber: OTHER, variables: {} },
        ],
      },
    });
  });

  it('leaves out secondary contacts without a number', () => {
    const columns = columnsOf('phone_number', 'secondary_contact_1', 'secondary_contact_1_name');
    expect(columns.read([PHONE, '', 'Bia'])).toEqual({
      lead: { phoneNumber: PHONE, variables: {}, secondaryContacts: [] },
    });
  });

  it('keeps a column named like a prototype as a plain variable', () => {
    const row = columnsOf('phone_number', '__proto__').read([PHONE, 'x']);
    expect(JSON.stringify(row)).toContain('{"__proto__":"x"}');
  });

  it.each([
    ['an empty number', ['', 'Ana'], 'leads.row_phone_missing'],
    ['a number that is none', ['12', 'Ana'], 'leads.row_phone_invalid'],
    ['more fields than columns', [PHONE, 'Ana', 'x'], 'leads.row_columns'],
    ['characters that are not UTF-8', [PHONE, 'Jo\u{FFFD}o'], 'leads.row_characters'],
    ['NUL characters', [PHONE, 'a\0b'], 'leads.row_characters'],
  ])('refuses a row with %s', (_name, fields, key) => {
    expect(columnsOf('phone_number', 'name').read(fields)).toEqual({
      refused: expect.objectContaining({ key }),
    });
  });

  it('refuses a row whose secondary contact has no valid number', () => {
    expect(columnsOf('phone_number', 'secondary_contact_1').read([PHONE, '99'])).toEqual({
      refused: { key: 'leads.row_phone_invalid', params: { column: 'secondary_contact_1' } },
    });
  });

  it('takes a row that ends early, and passes over one with nothing in it', () => {
    const columns = columnsOf('phone_number', 'name', 'city');
    expect(columns.read([PHONE])).toEqual({
      lead: { phoneNumber: PHONE, variables: {}, secondaryContacts: [] },
    });
    expect(columns.read(['', '', ''])).toBeNull();
    expect(columns.read([PHONE, 'Ana', 'SP', '', ''])).toHaveProperty('lead');
  });

  it.each([
    ['nothing', null, 'leads.import_no_header'],
    ['only empty names', ['', ''], 'leads.import_no_header'],
    ['no phone_number', ['phone', 'name'], 'leads.import_no_phone_column'],
    ['a name twice', ['phone_number', 'name', 'name'], 'leads.import_repeated_column'],
    ['phone_number twice', ['phone_number', 'PHONE_NUMBER'], 'leads.import_repeated_column'],
    ['NUL characters', ['phone_number', 'na\0me'], 'leads.import_header_characters'],
    ['characters that are not UTF-8', ['phone_number', 'n\u{FFFD}o'], 'leads.import_header_characters'],
    ['too many columns', Array.from({ length: 201 }, (_, i) => `c${i}`), 'leads.import_columns'],
  ])('refuses a header with %s', (_name, header, key) => {
    expect(LeadColumns.of(header, 'BR')).toMatchObject({ field: 'file', text: { key } });
  });
});
