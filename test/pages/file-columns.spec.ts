import { expect, it } from '@jest/globals';
import { beginningOf, guessed, namesOf } from '../../web/console/src/pages/campaigns/leads/file-columns.js';

const column = (name: string, ...samples: string[]) => ({ name, samples });
const answer = (columns: ReturnType<typeof column>[], first_row_is_lead = false) => ({
  file_name: 'contatos.csv',
  columns,
  first_row_is_lead,
});

it('guesses what columns mean, and names them as the file does', () => {
  const columns = guessed(
    answer([
      column('Celular', '11 98765-4321'),
      column('Nome Completo', '', 'Ana'),
      column('', 'x'),
      column('secondary_contact_1', '11 98765-4322'),
    ]),
  );
  expect(columns.map(({ meaning, sample }) => [meaning, sample])).toEqual([
    ['phone', '11 98765-4321'],
    ['variable', 'Ana'],
    ['ignore', 'x'],
    ['contact', '11 98765-4322'],
  ]);
  expect(namesOf(columns)).toEqual(['phone_number', 'Nome Completo', '', 'secondary_contact_1']);
});

it('finds the phone by its values where a first row is a contact, which names nothing', () => {
  const columns = guessed(answer([column('Ana', 'Bia'), column("'+5511987654321", 'tel:11987654322')], true));
  expect(columns.map(({ name, meaning, sample }) => [name, meaning, sample])).toEqual([
    ['', 'ignore', 'Ana'],
    ['', 'phone', "'+5511987654321"],
  ]);
});

it('looks at the beginning of a table, and at the whole of a workbook', async () => {
  const large = (head: string) => new File([head, 'x'.repeat(2_000_000)], 'a.csv');
  expect((await beginningOf(large('phone_number\n'))).size).toBe(1_048_576);
  expect((await beginningOf(large('PK\u0003\u0004'))).size).toBe(2_000_004);
  expect((await beginningOf(new File(['a'], 'a.csv'))).size).toBe(1);
});
