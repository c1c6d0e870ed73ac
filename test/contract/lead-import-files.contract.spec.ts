import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createCampaign,
  createLead,
  createOutboundAssistant,
  phoneNumber,
} from '../support/campaign-builders.js';
import { number, workbookOf } from '../support/workbook.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

let app: TestApp;
let owner: TestAccount;
let stranger: TestAccount;
let campaign: number;

beforeAll(async () => {
  app = await TestApp.start();
  stranger = await app.account();
});

beforeEach(async () => {
  owner = await app.account();
  campaign = await createCampaign(app, owner);
});

afterAll(() => app.stop());

const pathOf = (id = campaign) => `/api/user/campaigns/${id}/leads/import`;
const send = (content: string | Buffer, query = '', type = 'text/csv', id = campaign) =>
  app
    .as(owner)
    .post(`${pathOf(id)}${query}`)
    .set('Content-Type', type)
    .send(content);
const leadsOf = async (id = campaign) => {
  const { body } = await app.as(owner).get(`/api/user/leads?campaign_id=${id}&per_page=100`).expect(200);
  return body.data.map(({ phone_number, variables }: any) => [phone_number, variables]).reverse();
};

/** The same file in one piece and cut in two, each part a packet of its own. */
async function sendInTwo(content: Buffer, at: number): Promise<any> {
  const upload = request(`${app.origin}${pathOf()}?allow_dupplicate=true`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'text/csv' },
  });
  const answered = new Promise<any>((resolve, reject) => {
    upload.on('error', reject).on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk))).on('end', () => resolve(JSON.parse(text)));
    });
  });
  upload.write(content.subarray(0, at));
  await sleep(60);
  upload.end(content.subarray(at));
  return answered;
}

describe('A file of leads', () => {
  const accented = 'phone_number;nome;cidade\r\n11987654321;José;São Paulo\r\n11987654322;Inês;Brasília\r\n';
  const expected = [
    ['+5511987654321', { nome: 'José', cidade: 'São Paulo' }],
    ['+5511987654322', { nome: 'Inês', cidade: 'Brasília' }],
  ];
  const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();

  it.each([
    ['Windows-1252', Buffer.from(accented, 'latin1')],
    ['UTF-8', Buffer.from(accented)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${accented}`)],
    ['UTF-16 little-endian', Buffer.from(`\uFEFF${accented}`, 'utf16le')],
    ['UTF-16 little-endian without a mark', Buffer.from(accented, 'utf16le')],
    ['UTF-16 big-endian', bigEndian(`\uFEFF${accented}`)],
    ['UTF-16 big-endian without a mark', bigEndian(accented)],
    ['tabs', Buffer.from(accented.replaceAll(';', '\t'))],
    ['vertical bars', Buffer.from(accented.replaceAll(';', '|'))],
    ['a named separator', Buffer.from(`sep=;\r\n${accented}`)],
    [
      'a named separator in UTF-16',
      Buffer.from(`\uFEFFsep=\t\r\n${accented.replaceAll(';', '\t')}`, 'utf16le'),
    ],
    ['an unusual separator', Buffer.from(`"sep=^"\r\n${accented.replaceAll(';', '^')}`)],
    ['an empty row above', Buffer.from(`;;\r\n${accented}`)],
  ])('is read in %s', async (_what, content) => {
    const { body } = await send(content as Buffer).expect(200);
    expect(body.data).toMatchObject({ imported: 2, refused: 0 });
    expect(await leadsOf()).toEqual(expected);
  });

  it('means the same however it is cut', async () => {
    const content = Buffer.from(
      '"phone_number";"Nome\r\nCompleto";obs\r\n11987654321;José;"a;\r\nb"\r\n',
      'latin1',
    );
    for (const at of [1, 3, 20, 24, 25, 30, 36, 37, 38, 50, content.length - 2]) {
      expect(await sendInTwo(content, at)).toMatchObject({ data: { imported: 1, refused: 0 } });
    }
    const found = await leadsOf();
    expect(new Set(found.map((lead: unknown) => JSON.stringify(lead))).size).toBe(1);
    expect(found[0]).toEqual(['+5511987654321', { 'Nome Completo': 'José', obs: 'a;\nb' }]);
  });

  it('is read from the first sheet of a workbook, with all digits of its numbers', async () => {
    const workbook = workbookOf([
      ['Phone Number', 'Nome Completo', 'Nascimento', 'Pedido'],
      [number('5511987654321'), 'José', number('33970', 1), number('1234567890123456789')],
      [number('5.511987654322E12'), 'Inês', '', 'A-7'],
      ['12', 'Caio'],
    ]);
    for (const answer of [
      await send(workbook, '', XLSX).expect(200),
      await app
        .as(owner)
        .post(`${pathOf()}?allow_dupplicate=1`)
        .attach('file', workbook, 'lista.xlsx')
        .expect(200),
    ]) {
      expect(answer.body.data).toMatchObject({
        imported: 2,
        refusals: [{ line: 4, reason: 'A coluna phone_number não é um número de telefone válido' }],
      });
    }
    expect((await leadsOf()).slice(0, 2)).toEqual([
      [
        '+5511987654321',
        { 'Nome Completo': 'José', Nascimento: '1993-01-01', Pedido: '1234567890123456789' },
      ],
      ['+5511987654322', { 'Nome Completo': 'Inês', Pedido: 'A-7' }],
    ]);
  });

  it.each([
    ['an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), /\.xls\)/],
    ['a broken workbook', workbookOf([['a']]).subarray(0, 300), /não pôde ser lida/],
  ])('is refused with words when it is %s', async (_what, content, message) => {
    const { body } = await send(content).expect(422);
    expect(body.errors.file[0]).toMatch(message);
  });

  it('says that a spreadsheet has cut a number', async () => {
    const { body } = await send('phone_number\n"5,51199E+12"\n5.511987654321E+12\n').expect(200);
    expect(body.data).toMatchObject({
      imported: 1,
      refusals: [{ line: 2, reason: expect.stringMatching(/perdeu dígitos/) }],
    });
  });

  it('keeps texts that a spreadsheet has marked as such without the mark', async () => {
    await send('phone_number,código,nota\n11987654321,"=""007""","\'=1+1"\n').expect(200);
    expect(await leadsOf()).toEqual([['+5511987654321', { código: '007', nota: '=1+1' }]]);
  });
});

describe('A first line that is a lead', () => {
  const line = '(11) 98765-4321;Ana Souza';

  it('is refused and quoted, unless the request says that it holds names', async () => {
    const csv = `${line}\n11987654322;Bia\n`;
    for (const query of ['', '?preview=true']) {
      const { body } = await send(csv, query).expect(422);
      expect(body.errors.file[0]).toContain(line);
    }
    const { body } = await send(csv, '?header=true').expect(422);
    expect(body.message).toBe('O arquivo deve ter uma coluna phone_number.');
    await send('phone_number,0800 777 1234\n11987654321,x\n').expect(422);
    await send('phone_number,0800 777 1234\n11987654321,x\n', '?header=true').expect(200);
    expect(await leadsOf()).toEqual([['+5511987654321', { '0800 777 1234': 'x' }]]);
  });

  it('is taken where the form names the columns', async () => {
    const upload = (query: string, columns: string) =>
      app
        .as(owner)
        .post(`${pathOf()}${query}`)
        .field('columns', columns)
        .attach('file', Buffer.from(`${line}\n11987654322;Bia\n`), 'a.csv');
    await upload('?header=false', 'x').expect(422);
    await upload('?header=false', '["phone_number","nome"]').expect(200);
    expect(await leadsOf()).toEqual([
      ['+5511987654321', { nome: 'Ana Souza' }],
      ['+5511987654322', { nome: 'Bia' }],
    ]);
    await send(line, '?header=false').expect(422);
  });
});

describe('The placeholders that a file fills', () => {
  it('are listed before and after an import', async () => {
    const assistant = await createOutboundAssistant(app, owner, {
      system_prompt: 'Fale com {{nome_completo}} sobre {{Valor (R$)}}, da {{empresa}}, em {{current_date}}.',
      initial_message: 'Olá, {{Nome Completo}}! {{Cidade}}',
      variables: { empresa: 'Prosa' },
    });
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    const csv = `phone_number;Nome completo;VALOR (R$);outra\n${phoneNumber(1)};Ana;10,00;x\n12;Bia;;\n`;
    const variables = {
      used: ['nome_completo', 'Valor (R$)', 'empresa', 'Cidade'],
      filled: ['Nome completo', 'VALOR (R$)'],
      missing: ['Cidade'],
    };
    const before = await send(csv, '?preview=true', 'text/csv', id).expect(200);
    expect(before.body).toMatchObject({
      message: 'Prévia da importação',
      data: {
        id: null,
        rows: 2,
        imported: 1,
        refused: 1,
        refusals: [{ line: 3 }],
        refusals_url: null,
        variables,
      },
    });
    expect(await leadsOf(id)).toEqual([]);
    const { body: log } = await app.as(owner).get('/api/user/audit-log').expect(200);
    expect(log.data.map(({ action }: any) => action)).not.toContain('importLeads');
    expect((await app.as(owner).get(`/api/user/campaigns/${id}/leads/imports`)).body).toEqual([]);
    const after = await send(csv, '', 'text/csv', id).expect(200);
    expect(after.body.data).toMatchObject({ imported: 1, refused: 1, variables });
    const path = `/api/user/campaigns/${id}/leads/imports/${after.body.data.id}`;
    expect((await app.as(owner).get(path)).body).toEqual(after.body.data);
  });

  it('are listed by a preview that reads only the first rows', async () => {
    const rows = Array.from({ length: 5_000 }, (_, n) => phoneNumber(n));
    const { body } = await send(['phone_number', ...rows].join('\n'), '?preview=true').expect(200);
    expect(body.data).toMatchObject({ rows: 100, imported: 100 });
    await createLead(app, owner, campaign, { phone_number: phoneNumber(1) });
    const again = await send(['phone_number', ...rows].join('\n'), '?preview=true').expect(200);
    expect(again.body.data).toMatchObject({ imported: 99, refusals: [{ line: 3 }] });
  });

  it('replace a default that is spelled otherwise', async () => {
    const assistant = await createOutboundAssistant(app, owner, { variables: { name: 'cliente' } });
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    await send(`phone_number,Name\n${phoneNumber(1)},Ana\n`, '', 'text/csv', id).expect(200);
    expect(await leadsOf(id)).toEqual([[phoneNumber(1), { name: 'Ana', Name: 'Ana' }]]);
  });
});

describe('POST …/leads/import/columns', () => {
  it('reads the columns of any file with some of their values', async () => {
    const { body } = await app
      .as(owner)
      .post(`${pathOf()}/columns`)
      .attach('file', Buffer.from('Telefone;Nome\n11987654321;José\n;Inês\n', 'latin1'), 'lista.csv')
      .expect(200);
    expect(body.data).toEqual({
      file_name: 'lista.csv',
      columns: [
        { name: 'Telefone', samples: ['11987654321', ''] },
        { name: 'Nome', samples: ['José', 'Inês'] },
      ],
      first_row_is_lead: false,
    });
    const lead = await app
      .as(owner)
      .post(`${pathOf()}/columns`)
      .set('Content-Type', XLSX)
      .send(workbookOf([[number('5511987654321'), 'Ana']]))
      .expect(200);
    expect(lead.body.data).toMatchObject({
      first_row_is_lead: true,
      columns: [{ name: '5511987654321' }, { name: 'Ana' }],
    });
  });
});

describe('Refused rows', () => {
  const csv = [
    'phone_number;Nome;obs',
    '123;Ana;=1+1',
    `${phoneNumber(1)};Bia;ok`,
    `${phoneNumber(1)};Caio;"a;b"`,
    ';Davi;',
    `${phoneNumber(2)};"nunca fecha;`,
    `${phoneNumber(3)};Eva;x;demais`,
  ].join('\n');
  const download = (path: string, who = owner) => app.as(who).get(path);

  it('can be downloaded with the reason in the language of the reader, formulas disarmed', async () => {
    const { body } = await send(csv).expect(200);
    const { refusals_url: url } = body.data;
    expect(url).toBe(`/api/user/campaigns/${campaign}/leads/imports/${body.data.id}/refusals`);
    const portuguese = await download(url).expect(200);
    expect(portuguese.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(portuguese.text).toBe(
      [
        '\uFEFF"linha_recusada","motivo_da_recusa","phone_number","Nome","obs"',
        '"2","A coluna phone_number não é um número de telefone válido","123","Ana","\'=1+1"',
        `"4","O número ${phoneNumber(1)} já existe nesta campanha","${phoneNumber(1)}","Caio","a;b"`,
        '"5","A coluna phone_number está vazia","","Davi",""',
        `"6","A linha tem aspas que não fecham ou estão fora do lugar","'${phoneNumber(2)};""nunca fecha;"`,
        `"7","A linha tem 4 colunas, mas o cabeçalho tem 3","${phoneNumber(3)}","Eva","x","demais"`,
        '',
      ].join('\r\n'),
    );
    for (const asked of [
      await download(`${url}?language=en`),
      await download(url).set('Accept-Language', 'en-GB,en;q=0.9,pt;q=0.1'),
    ]) {
      expect(asked.text).toContain('"refused_line","refusal_reason"');
      expect(asked.text).toContain('"The column phone_number is not a valid phone number"');
    }
    expect((await download(`${url}?language=pt`).set('Accept-Language', 'en')).text).toContain(
      'motivo_da_recusa',
    );
  });

  it('are given in the language of the reader by the import, too', async () => {
    const { body } = await send(csv, '?language=en').expect(200);
    expect(body.data.refusals[2]).toEqual({ line: 5, reason: 'The column phone_number is empty' });
    const path = `/api/user/campaigns/${campaign}/leads/imports/${body.data.id}`;
    expect((await download(path)).body.refusals[2].reason).toBe('A coluna phone_number está vazia');
  });

  it('come back corrected, without what was added', async () => {
    const { body } = await send(csv).expect(200);
    const { text } = await download(body.data.refusals_url);
    await send(text.replace('"123"', `"${phoneNumber(7)}"`)).expect(200);
    expect(await leadsOf()).toContainEqual([phoneNumber(7), { Nome: 'Ana', obs: '=1+1' }]);
  });

  it('have no address without any, for strangers, and after a week', async () => {
    const { body: clean } = await send(`phone_number\n${phoneNumber(1)}\n`).expect(200);
    expect(clean.data.refusals_url).toBeNull();
    const path = (id: number) => `/api/user/campaigns/${campaign}/leads/imports/${id}`;
    await download(`${path(clean.data.id)}/refusals`).expect(404);
    const { body } = await send(csv).expect(200);
    const { id, refusals_url: url } = body.data;
    await download(url, stranger).expect(404);
    await app.http.get(url).expect(401);
    await app.query("UPDATE lead_imports SET created_at = now() - interval '169 hours' WHERE id = $1", [id]);
    await download(url).expect(404);
    expect((await download(path(id))).body.refusals_url).toBeNull();
  });
});
