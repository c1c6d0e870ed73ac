import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createCampaign,
  createLead,
  createOutboundAssistant,
  phoneNumber,
} from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const CAMPAIGN_NOT_FOUND = { message: 'Campanha não encontrada' };
const MEGABYTE = 1_048_576;

let app: TestApp;
let owner: TestAccount;
let stranger: TestAccount;
let campaign: number;
let foreignCampaign: number;

beforeAll(async () => {
  app = await TestApp.start();
  stranger = await app.account();
  foreignCampaign = await createCampaign(app, stranger);
});

beforeEach(async () => {
  owner = await app.account();
  campaign = await createCampaign(app, owner);
});

afterAll(() => app.stop());

const pathOf = (id = campaign) => `/api/user/campaigns/${id}/leads/import`;
const send = (csv: string, query = '', id = campaign) =>
  app
    .as(owner)
    .post(`${pathOf(id)}${query}`)
    .set('Content-Type', 'text/csv')
    .send(csv);
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => phoneNumber(from + i));
const csvOf = (rows: readonly string[]) => ['phone_number', ...rows].join('\n');
const importsOf = async (id = campaign) =>
  (await app.as(owner).get(`/api/user/campaigns/${id}/leads/imports`).expect(200)).body;
const countLeads = async () =>
  (
    await app.query<{ n: number }>('SELECT count(*)::int AS n FROM leads WHERE user_id = $1', [owner.userId])
  )[0]!.n;

/** A request whose body the test writes piece by piece. */
function openUpload(headers: Record<string, string | number> = {}, agent?: Agent): ClientRequest {
  const upload = request(`${app.origin}${pathOf()}`, {
    method: 'POST',
    agent,
    headers: { Authorization: `Bearer ${owner.token}`, 'Content-Type': 'text/csv', ...headers },
  });
  upload.on('error', () => undefined);
  return upload;
}

async function answerOf(upload: ClientRequest): Promise<{ status: number | undefined; body: any }> {
  const [response] = (await once(upload, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode, body: JSON.parse(text) };
}

/** The newest import, once it is as wanted. */
async function importThat(isWanted: (job: any) => boolean): Promise<any> {
  for (let i = 0; i < 200; i++) {
    const [job] = await importsOf();
    if (job && isWanted(job)) return job;
    await sleep(20);
  }
  throw new Error(`the import did not get there: ${JSON.stringify(await importsOf())}`);
}

describe('POST /api/user/campaigns/{id}/leads/import', () => {
  it('takes a text/csv body and says how many rows became leads', async () => {
    const { body } = await send(
      'name,phone_number,city\nAna,(11) 98765-4321,SP\nBia,+5521912345678,\n',
    ).expect(200);
    expect(body).toEqual({
      message: 'Importação concluída',
      data: {
        id: expect.any(Number),
        campaign_id: campaign,
        status: 'completed',
        file_name: null,
        rows: 2,
        imported: 2,
        refused: 0,
        refusals: [],
        refusals_omitted: 0,
        refusals_url: null,
        variables: { used: [], filled: [], missing: [] },
        error: null,
        created_at: expect.stringMatching(ISO),
        updated_at: expect.stringMatching(ISO),
      },
    });
    const { body: leads } = await app.as(owner).get('/api/user/leads');
    expect(
      leads.data.map(({ phone_number, variables, status }: any) => [phone_number, variables, status]),
    ).toEqual([
      ['+5521912345678', { name: 'Bia' }, 'created'],
      ['+5511987654321', { name: 'Ana', city: 'SP' }, 'created'],
    ]);
    const dials = await app.query(
      "SELECT count(*)::int AS n FROM lead_dials WHERE campaign_id = $1 AND state = 'waiting' AND due_at <= now()",
      [campaign],
    );
    expect(dials).toEqual([{ n: 2 }]);
  });

  it('accepts the file of a multipart form under any field name and after any other field', async () => {
    const { body } = await app
      .as(owner)
      .post(pathOf())
      .field('comment', 'março')
      .attach('planilha', Buffer.from(csvOf(numbers(3))), 'março.csv')
      .expect(200);
    expect(body.data).toMatchObject({ imported: 3, file_name: 'março.csv' });
  });

  it('understands a byte order mark, semicolons, quotes and windows line ends', async () => {
    const csv = `\uFEFFphone_number;name;note\r\n${phoneNumber(1)};"Souza; Ana";"disse ""oi""\r\nduas linhas"\r\n`;
    const { body } = await send(csv).expect(200);
    expect(body.data).toMatchObject({ imported: 1, refused: 0 });
    const { body: leads } = await app.as(owner).get('/api/user/leads');
    expect(leads.data[0].variables).toEqual({ name: 'Souza; Ana', note: 'disse "oi"\nduas linhas' });
  });

  it('begins each lead with the variables of the assistant', async () => {
    const assistant = await createOutboundAssistant(app, owner, {
      variables: { company: 'Prosa', tone: 'calm' },
    });
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    await send(`phone_number,tone\n${phoneNumber(1)},warm\n${phoneNumber(2)},`, '', id).expect(200);
    const { body } = await app.as(owner).get(`/api/user/leads?campaign_id=${id}`);
    expect(body.data.map(({ variables }: any) => variables)).toEqual([
      { company: 'Prosa', tone: 'calm' },
      { company: 'Prosa', tone: 'warm' },
    ]);
  });

  it('reads secondary contacts from their own columns', async () => {
    const csv = [
      'phone_number,secondary_contact_1,secondary_contact_1_name,secondary_contact_2',
      `${phoneNumber(1)},${phoneNumber(2)},Bia,${phoneNumber(3)}`,
      `${phoneNumber(4)},,,`,
    ].join('\n');
    await send(csv).expect(200);
    const { body } = await app.as(owner).get(`/api/user/leads?phone_number=${phoneNumber(1).slice(1)}`);
    expect(body.data[0].secondary_contacts).toMatchObject([
      { phone_number: phoneNumber(2), variables: { name: 'Bia' } },
      { phone_number: phoneNumber(3), variables: {} },
    ]);
    expect(await countLeads()).toBe(4);
  });

  it('a bad row is refused alone, with its line and reason', async () => {
    const csv = [
      'phone_number,name,secondary_contact_1',
      `${phoneNumber(1)},Ana,`,
      '123,Bia,',
      ',Caio,',
      `${phoneNumber(2)},"nunca fecha,`,
      `${phoneNumber(3)},Davi,,,extra`,
      `${phoneNumber(4)},Eva,99`,
      `${phoneNumber(1)},de novo,`,
      `${phoneNumber(5)},"fecha ""bem""",${phoneNumber(5)}`,
      '',
      `${phoneNumber(6)},Fim,`,
    ].join('\n');
    const { body } = await send(csv).expect(200);
    expect(body.data).toMatchObject({
      status: 'completed',
      rows: 9,
      imported: 2,
      refused: 7,
      refusals: [
        { line: 3, reason: 'A coluna phone_number não é um número de telefone válido' },
        { line: 4, reason: 'A coluna phone_number está vazia' },
        { line: 5, reason: 'A linha tem aspas que não fecham ou estão fora do lugar' },
        { line: 6, reason: 'A linha tem 5 colunas, mas o cabeçalho tem 3' },
        { line: 7, reason: 'A coluna secondary_contact_1 não é um número de telefone válido' },
        { line: 8, reason: `O número ${phoneNumber(1)} já existe nesta campanha` },
        { line: 9, reason: `O número ${phoneNumber(5)} já existe nesta campanha` },
      ],
      refusals_omitted: 0,
    });
    expect(await countLeads()).toBe(2);
  });

  it('bytes that are not UTF-8 spoil their row alone', async () => {
    const csv = Buffer.concat([
      Buffer.from(`phone_number,name\n${phoneNumber(1)},Jo`),
      Buffer.from([0xe3]),
      Buffer.from(`o\n${phoneNumber(2)},João\n`),
    ]);
    const { body } = await app.as(owner).post(pathOf()).attach('file', csv, 'latin1.csv').expect(200);
    expect(body.data).toMatchObject({
      imported: 1,
      refusals: [{ line: 2, reason: 'A linha não está em UTF-8 ou contém caracteres não permitidos' }],
    });
  });

  it('lists the first 100 refused rows and counts the others, over all batches', async () => {
    const rows = Array.from({ length: 2_600 }, (_, i) => (i % 10 === 0 ? 'x' : phoneNumber(i)));
    const { body } = await send(csvOf(rows)).expect(200);
    expect(body.data).toMatchObject({ rows: 2_600, imported: 2_340, refused: 260, refusals_omitted: 160 });
    expect(body.data.refusals.map(({ line }: any) => line)).toEqual(
      Array.from({ length: 100 }, (_, i) => i * 10 + 2),
    );
  });

  it('refuses numbers that the campaign has, unless allow_dupplicate', async () => {
    await createLead(app, owner, campaign, { phone_number: phoneNumber(1) });
    const csv = csvOf([phoneNumber(1), phoneNumber(2), phoneNumber(2)]);
    expect((await send(csv).expect(200)).body.data).toMatchObject({ imported: 1, refused: 2 });
    expect((await send(csv, '?allow_dupplicate=true').expect(200)).body.data).toMatchObject({
      imported: 3,
      refused: 0,
    });
    expect(await countLeads()).toBe(5);
    await send(csv, '?allow_dupplicate=maybe').expect(422);
  });

  it('parallel imports of the same file take each number once, and each says which it took', async () => {
    const csv = csvOf(numbers(2_500));
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(csv)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const taken = answers.map(({ body }) => body.data.imported);
    expect(taken.reduce((sum, n) => sum + n, 0)).toBe(2_500);
    expect(answers.every(({ body }) => body.data.rows === 2_500)).toBe(true);
    expect(await countLeads()).toBe(2_500);
  });

  it('stops after 1,000 wrong rows in a row, and says what was imported, where it stopped and why', async () => {
    const wrong = Array.from({ length: 5_000 }, (_, n) => `nonsense ${n}`);
    const { body } = await send(csvOf([...numbers(10), ...wrong, ...numbers(10, 100)])).expect(422);
    const message =
      'A importação parou na linha 1011: 1000 linhas seguidas foram recusadas. ' +
      'Os 10 contatos importados antes foram mantidos.';
    expect(body).toEqual({ message, errors: { file: [message] } });
    expect(await importsOf()).toMatchObject([
      {
        status: 'failed',
        imported: 10,
        refused: 1_000,
        error: 'A importação parou porque muitas linhas seguidas foram recusadas. Confira o arquivo',
      },
    ]);
    expect(await countLeads()).toBe(10);
  });

  it('takes a file in which 999 wrong rows in a row are followed by a right one', async () => {
    const wrong = Array.from({ length: 999 }, (_, n) => `nonsense ${n}`);
    const { body } = await send(csvOf([...wrong, phoneNumber(1), ...wrong, phoneNumber(2)])).expect(200);
    expect(body.data).toMatchObject({ imported: 2, refused: 1_998 });
  });

  it('does not count rows that the campaign has already as wrong: a file may be sent again', async () => {
    await send(csvOf(numbers(1_500))).expect(200);
    const { body } = await send(csvOf(numbers(1_510))).expect(200);
    expect(body.data).toMatchObject({ imported: 10, refused: 1_500 });
  });

  it('reads four files of an account at once and answers 429 {message} to a fifth; other accounts may go on', async () => {
    const uploads = Array.from({ length: 4 }, () => openUpload());
    for (const upload of uploads) upload.write('phone_number\n');
    const answers = uploads.map(answerOf);
    await until(async () => (await importsOf()).length === 4);
    const refused = await send(csvOf(numbers(1))).expect(429);
    expect(refused.body).toEqual({
      message: 'Esta conta já tem 4 importações em andamento. Tente novamente quando uma delas terminar',
      retry_after: 10,
    });
    expect(refused.headers['retry-after']).toBe('10');
    await app
      .as(stranger)
      .post(pathOf(foreignCampaign))
      .set('Content-Type', 'text/csv')
      .send(csvOf(numbers(1, 7_000)))
      .expect(200);
    for (const upload of uploads) upload.end();
    await Promise.all(answers);
    await send(csvOf(numbers(1))).expect(200);
  });

  it('takes a file with nothing but a header', async () => {
    expect((await send('phone_number\n').expect(200)).body.data).toMatchObject({
      rows: 0,
      status: 'completed',
    });
  });

  it.each([
    ['an empty file', '', 'O arquivo deve começar com uma linha de cabeçalho.'],
    ['blank lines', '\n\n', 'O arquivo deve começar com uma linha de cabeçalho.'],
    ['no phone_number', 'name,phone\nAna,1', 'O arquivo deve ter uma coluna phone_number.'],
    ['a column twice', 'phone_number,name,name\n', 'O arquivo tem a coluna name duas vezes.'],
    ['201 columns', `phone_number${',x'.repeat(200)}`, 'O arquivo não pode ter mais de 200 colunas.'],
    [
      'a NUL',
      'phone_number,na\0me\n',
      'A linha de cabeçalho do arquivo não está em UTF-8 ou contém caracteres não permitidos.',
    ],
  ])('answers a header with %s by a validation body', async (_what, csv, message) => {
    await send(csv).expect(422, { message, errors: { file: [message] } });
    expect(await importsOf()).toEqual([]);
  });

  it('answers a form without a file with a validation body', async () => {
    const { body } = await app.as(owner).post(pathOf()).field('comment', 'x').expect(422);
    expect(body).toEqual({
      message: 'O campo file é obrigatório.',
      errors: { file: ['O campo file é obrigatório.'] },
    });
  });

  it.each([
    ['application/json', '{}'],
    ['text/plain', 'phone_number\n'],
    ['application/octet-stream', 'phone_number\n'],
  ])('answers 415 {message} for %s', async (type, content) => {
    const { body } = await app.as(owner).post(pathOf()).set('Content-Type', type).send(content).expect(415);
    expect(body).toEqual({ message: 'Envie o arquivo como text/csv ou multipart/form-data, sem compressão' });
  });

  it('answers 415 {message} for a compressed file', async () => {
    await send(csvOf(numbers(1)))
      .set('Content-Encoding', 'gzip')
      .expect(415);
  });

  it.each([
    ['without a boundary', 'multipart/form-data', 'x'],
    ['that ends before its file', 'multipart/form-data; boundary=b', '--b\r\nContent-Dispo'],
  ])('answers 400 {message} for a form %s', async (_what, type, content) => {
    const { body } = await app.as(owner).post(pathOf()).set('Content-Type', type).send(content).expect(400);
    expect(body).toEqual({ message: 'O formulário multipart é inválido ou está incompleto' });
  });

  const WRONG_PART = '--XX\r\nno colon here\r\n\r\nx\r\n';
  const FILE_PART =
    '--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone_number\r\n';

  it.each([
    ['two wrong parts', 400, [`${WRONG_PART}${WRONG_PART}--XX--`]],
    ['two wrong parts that come apart', 400, [WRONG_PART, WRONG_PART, '--XX--']],
    ['a file followed by wrong parts', 200, [`${FILE_PART}${WRONG_PART}${WRONG_PART}--XX--`]],
    ['wrong parts before a file', 400, [WRONG_PART, WRONG_PART, `${FILE_PART}--XX--`]],
    ['wrong parts and no end', 400, [WRONG_PART + WRONG_PART, WRONG_PART]],
  ])('survives a form of %s', async (_what, status, pieces) => {
    const upload = openUpload({ 'Content-Type': 'multipart/form-data; boundary=XX' });
    const answer = answerOf(upload);
    for (const piece of pieces) {
      upload.write(piece);
      await sleep(5);
    }
    upload.end();
    const { status: answered, body } = await answer;
    expect(answered).toBe(status);
    if (status === 400)
      expect(body).toEqual({ message: 'O formulário multipart é inválido ou está incompleto' });
    expect((await fetch(`${app.origin}/health/live`)).status).toBe(200);
  });

  it('keeps the name of a file without characters that cannot be stored', async () => {
    const { body } = await app
      .as(owner)
      .post(pathOf())
      .set('Content-Type', 'multipart/form-data; boundary=XX')
      .send(`${FILE_PART.replace('filename="a.csv"', "filename*=utf-8''mar%C3%A7o%00.csv")}--XX--`)
      .expect(200);
    expect(body.data).toMatchObject({ file_name: 'março.csv' });
  });

  it('a form that ends within its file answers 400', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
    const { body } = await app
      .as(owner)
      .post(pathOf())
      .set('Content-Type', 'multipart/form-data; boundary=b')
      .send(`${head}${csvOf(numbers(1_500))}\n`)
      .expect(400);
    expect(body).toEqual({ message: 'O envio do arquivo foi interrompido. Envie-o novamente' });
    expect((await importsOf()).filter(({ status }: any) => status !== 'failed')).toEqual([]);
  });

  it('leaves the connection fit for the next request, however early it answers', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const body = csvOf(numbers(20_000));
    const form = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\n${body}`;
    const tries: [Record<string, string>, string, number][] = [
      [{}, `name\n${body}`, 422],
      [{ 'Content-Type': 'multipart/form-data; boundary=b' }, form, 422],
      [{ 'Content-Type': 'multipart/form-data; boundary=b' }, `--b\r\n\r\n${body}`, 400],
      [{ 'Content-Type': 'text/plain' }, body, 415],
      [{}, csvOf(numbers(1)), 200],
    ];
    for (const [headers, content, expected] of tries) {
      const upload = openUpload(headers, agent);
      upload.end(content);
      expect((await answerOf(upload)).status).toBe(expected);
    }
    agent.destroy();
  });

  it('answers 413 {message} for a file that says it is too large, and reads nothing of it', async () => {
    const upload = openUpload({ 'Content-Length': 60 * MEGABYTE });
    upload.write(csvOf(numbers(10)));
    const { status, body } = await answerOf(upload);
    upload.destroy();
    expect({ status, body }).toEqual({
      status: 413,
      body: { message: 'O arquivo é grande demais. O limite é de 50 MB' },
    });
    expect(await countLeads()).toBe(0);
  });

  it('answers 413 {message} for a file that turns out too large, and marks the import', async () => {
    const upload = openUpload();
    const answer = answerOf(upload);
    upload.write(`${csvOf(numbers(1_000))}\n`);
    const filler = `${','.repeat(1_023)}\n`.repeat(1_024);
    for (let i = 0; i < 51; i++) {
      if (!upload.write(filler)) await Promise.race([once(upload, 'drain'), answer]);
    }
    upload.end();
    expect((await answer).status).toBe(413);
    expect((await importsOf())[0]).toMatchObject({ status: 'failed', imported: 1_000 });
  });

  it('answers 404 {message} for a missing or foreign campaign', async () => {
    for (const id of [foreignCampaign, 2_000_000_000, 'abc']) {
      await send(csvOf(numbers(1)), '', id as number).expect(404, CAMPAIGN_NOT_FOUND);
    }
    await app.http.post(pathOf()).expect(401, { message: 'Não autorizado' });
  });
});

describe('GET /api/user/campaigns/{id}/leads/imports and …/imports/{importId}', () => {
  it('show how far an import is while it runs', async () => {
    const upload = openUpload();
    const answer = answerOf(upload);
    upload.write(`${csvOf(numbers(2_500))}\n`);
    const running = await importThat((job) => job.rows >= 2_000);
    expect(running).toMatchObject({ status: 'processing', imported: running.rows });
    upload.end(`${numbers(10, 5_000).join('\n')}\n`);
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id: running.id, status: 'completed', rows: 2_510, imported: 2_510 });
    const path = `/api/user/campaigns/${campaign}/leads/imports/${running.id}`;
    expect((await app.as(owner).get(path).expect(200)).body).toEqual(body.data);
  });

  it('an upload that breaks off leaves what was taken and is marked as failed', async () => {
    const upload = openUpload();
    upload.write(`${csvOf(numbers(1_200))}\n`);
    await importThat((job) => job.rows > 0);
    upload.destroy();
    const job = await importThat(({ status }) => status === 'failed');
    expect(job).toMatchObject({
      imported: 1_000,
      error: 'O envio do arquivo foi interrompido. Envie-o novamente',
    });
    expect(await countLeads()).toBe(1_000);
  });

  it('deleting the campaign ends a running import with 404', async () => {
    const upload = openUpload();
    const answer = answerOf(upload);
    upload.write(`${csvOf(numbers(1_200))}\n`);
    await importThat((job) => job.rows > 0);
    await app.as(owner).delete(`/api/user/campaign/${campaign}`).expect(200);
    upload.end(`${numbers(2_000, 5_000).join('\n')}\n`);
    expect(await answer).toEqual({ status: 404, body: CAMPAIGN_NOT_FOUND });
    expect(await countLeads()).toBe(0);
  });

  it('an import whose process died shows as failed', async () => {
    const { body } = await send(csvOf(numbers(1))).expect(200);
    await app.query(
      "UPDATE lead_imports SET status = 'processing', updated_at = now() - interval '11 minutes' WHERE id = $1",
      [body.data.id],
    );
    expect(await importsOf()).toMatchObject([
      { status: 'failed', imported: 1, error: 'A importação foi interrompida. Envie o arquivo novamente' },
    ]);
  });

  it('lists the newest first', async () => {
    const first = (await send(csvOf(numbers(1))).expect(200)).body.data.id;
    const second = (await send(csvOf(numbers(1))).expect(200)).body.data.id;
    expect((await importsOf()).map(({ id }: any) => id)).toEqual([second, first]);
  });

  it('answer 404 {message} for what is missing, foreign or of another campaign', async () => {
    const { body } = await send(csvOf(numbers(1))).expect(200);
    const other = await createCampaign(app, owner);
    const get = (who: TestAccount, path: string) => app.as(who).get(`/api/user/campaigns/${path}`);
    const missing = { message: 'Importação não encontrada' };
    await get(owner, `${campaign}/leads/imports/2000000000`).expect(404, missing);
    await get(owner, `${other}/leads/imports/${body.data.id}`).expect(404, missing);
    await get(stranger, `${campaign}/leads/imports/${body.data.id}`).expect(404, missing);
    await get(stranger, `${campaign}/leads/imports`).expect(404, CAMPAIGN_NOT_FOUND);
  });
});
