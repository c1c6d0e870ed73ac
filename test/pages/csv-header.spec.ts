import { expect, it } from '@jest/globals';
import { readHeader, withMeanings } from '../../web/console/src/pages/campaigns/leads/csv-header.js';

it.each(['utf8', 'latin1'] as const)(
  'gives the columns of a file other names and leaves its rows whole, %s',
  async (encoding) => {
    const rows = '5511987654321;Ana\n5511987654322;Rui\n';
    const file = new File([Buffer.from(`Celular;Observação à mão\n${rows}`, encoding)], 'contatos.csv');
    const csv = (await readHeader(file))!;
    expect(csv.columns.map(({ meaning, sample }) => [meaning, sample])).toEqual([
      ['phone', '5511987654321'],
      ['variable', 'Ana'],
    ]);
    const renamed = withMeanings(csv, [csv.columns[0]!, { ...csv.columns[1]!, variable: 'nome' }]);
    expect(await renamed.text()).toBe(`"phone_number";"nome"\n${rows}`);
  },
);
