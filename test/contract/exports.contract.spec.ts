import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { addCall } from '../support/call-rows.js';
import { createCampaign } from '../support/campaign-builders.js';

const ROWS = 620;
const FORMULA = '=HYPERLINK("https://evil.example";"x")';

type Row = Record<string, string>;

describe('Exports', () => {
  let app: TestApp;
  let owner: TestAccount;
  let campaign: number;
  let assistant: number;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    ({ id: assistant } = await createAssistant(app, owner, { type: 'outbound' }));
    campaign = await createCampaign(app, owner, { assistant_id: assistant, name: FORMULA });
    // In threes of the very same moment, to the microsecond.
    await app.query(
      `INSERT INTO leads (user_id, campaign_id, phone_number, status, variables, created_at)
       SELECT $1, $2, '+55119' || (80000000 + n), CASE WHEN n % 10 = 0 THEN 'completed' ELSE 'created' END,
         jsonb_build_object('nome', $3::text, 'n', n, 'status', 'vip') || CASE WHEN n = 1 THEN '{"raro": [1]}' ELSE '{}' END::jsonb,
         '2026-03-01T12:00:00Z'::timestamptz + (n / 3) * interval '7 microseconds'
       FROM generate_series(1, $4) AS n`,
      [owner.userId, campaign, FORMULA, ROWS],
    );
    await app.query(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status,
         client_phone_number, transcript, variables, carrier_cost_micros, ai_cost_micros, input_tokens, output_tokens, routing, created_at)
       SELECT $1, $5, $3, $2, $3, 'outbound', CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'completed' END,
         '+55119' || (80000000 + n), E'Oi;\\n=1+1', '{"a": "b"}', 12345, 1, NULLIF(n, 8), 0,
         CASE WHEN n <> 8 THEN '{"branch": "closed", "action": "message", "reason": "hours"}'::jsonb END,
         '2026-03-01T12:00:00Z'::timestamptz + (n / 3) * interval '7 microseconds'
       FROM generate_series(1, $4) AS n`,
      [owner.userId, campaign, FORMULA, ROWS, assistant],
    );
  }, 60_000);
  afterAll(() => app.stop());

  const download = async (path: string) => {
    const { headers, text } = await app.as(owner).get(path).buffer(true).expect(200);
    return { headers, text, rows: parse<Row>(text, { bom: true, columns: true }) };
  };

  it('has every call once, newest first, in the order and with the filters of the list', async () => {
    const { headers, text, rows } = await download('/api/user/calls/export');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="calls.csv"',
    });
    expect(text.startsWith('\uFEFF"id","created_at","type"')).toBe(true);
    expect(rows).toHaveLength(ROWS);
    const list = async (page: number, query = '') =>
      (await app.as(owner).get(`/api/user/calls?per_page=100&page=${page}${query}`)).body.data as {
        id: number;
      }[];
    const listed = (await Promise.all([1, 2, 3, 4, 5, 6, 7].map((page) => list(page)))).flat();
    expect(rows.map(({ id }) => Number(id))).toEqual(listed.map(({ id }) => id));

    const filters = `status=failed&type=outbound&campaign_id=${campaign}&date_from=2026-03-01&date_to=2026-03-01`;
    const failed = (await download(`/api/user/calls/export?${filters}`)).rows;
    expect(failed.map(({ id }) => Number(id))).toEqual((await list(1, `&${filters}`)).map(({ id }) => id));
    expect(failed).toHaveLength(62);
    expect((await download('/api/user/calls/export?date_from=2026-03-02')).rows).toEqual([]);
    const one = (await download('/api/user/calls/export?phone_number=%2B5511980000007')).rows;
    expect(one).toHaveLength(1);
    expect(one[0]).toMatchObject({
      client_phone_number: '+5511980000007',
      created_at: '2026-03-01 09:00:00',
      carrier_cost: '0.012345',
      total_cost: '0.012346',
      variables: '{"a":"b"}',
      input_tokens: '7',
      cached_input_tokens: '',
      output_tokens: '0',
      routing_branch: 'closed',
      routing_action: 'message',
      routing_reason: 'hours',
    });
    // Unknown is not zero.
    const [unknown] = (await download('/api/user/calls/export?phone_number=%2B5511980000008')).rows;
    expect(unknown).toMatchObject({ input_tokens: '', output_tokens: '0', routing_branch: '' });
  });

  it('has the leads of a campaign with each variable in a column, in the order of the list', async () => {
    const path = `/api/user/campaigns/${campaign}/leads/export`;
    const { headers, rows } = await download(path);
    expect(headers['content-disposition']).toBe(`attachment; filename="campaign-${campaign}-leads.csv"`);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(ROWS);
    expect(Object.keys(rows[0] ?? {})).toEqual(
      ['id', 'parent_id', 'phone_number', 'status', 'created_at', 'updated_at'].concat([
        'n',
        'nome',
        'variables.status',
        'raro',
      ]),
    );
    expect(rows.at(-1)).toMatchObject({
      phone_number: '+5511980000001',
      n: '1',
      raro: '[1]',
      'variables.status': 'vip',
    });
    const { body } = await app.as(owner).get(`/api/user/leads?campaign_id=${campaign}&per_page=100`);
    expect(rows.slice(0, 100).map(({ id }) => Number(id))).toEqual(
      body.data.map(({ id }: { id: number }) => id),
    );
    const done = (await download(`${path}?status=completed&phone_number=98000001`)).rows;
    expect(done.map(({ phone_number: number }) => number)).toEqual(['+5511980000010']);
  });

  it('neutralises cells that are formulas, and leaves numbers and phones as they are', async () => {
    const [lead] = (await download(`/api/user/campaigns/${campaign}/leads/export`)).rows;
    expect(lead).toMatchObject({ nome: `'${FORMULA}` });
    const [call] = (await download('/api/user/calls/export')).rows;
    expect(call).toMatchObject({
      assistant_name: `'${FORMULA}`,
      campaign_name: `'${FORMULA}`,
      transcript: "Oi;\n'=1+1",
      client_phone_number: '+5511980000620',
    });
  });

  it('answers other accounts while it writes large cells, and cuts them to what a spreadsheet shows', async () => {
    const large = await createCampaign(app, owner, { assistant_id: assistant, name: 'Large' });
    await app.query(
      `INSERT INTO leads (user_id, campaign_id, phone_number, variables)
       SELECT $1, $2, '+55119' || (70000000 + n), jsonb_build_object('nota', repeat(E'\t', 60000) || 'x') FROM generate_series(1, 20) AS n`,
      [owner.userId, large],
    );
    await app.query(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status, client_phone_number, transcript)
       SELECT $1, $3, 'A', $2, 'Large', 'outbound', 'completed', '+5511970000000', repeat(repeat(E'\n ', 1000) || 'oi', 300)
       FROM generate_series(1, 5)`,
      [owner.userId, large, assistant],
    );
    const other = await app.account();
    for (const [path, column] of [
      [`/api/user/campaigns/${large}/leads/export`, 'nota'],
      [`/api/user/calls/export?campaign_id=${large}`, 'transcript'],
    ] as const) {
      const startedAt = performance.now();
      const downloading = download(path);
      await app.as(other).get('/api/user/me').expect(200);
      expect(performance.now() - startedAt).toBeLessThan(3_000);
      const { rows } = await downloading;
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      for (const row of rows) {
        expect(row[column]).toHaveLength(32_767);
        expect(row[column]).toMatch(
          /… \[cut: the cell has \d{5,6} characters, and a spreadsheet shows 32767\]$/,
        );
      }
    }
    await app.query('DELETE FROM leads WHERE campaign_id = $1', [large]);
    await app.query('DELETE FROM calls WHERE campaign_id = $1', [large]);
  });

  it('refuses with 422 what is more than a file may hold, and filters that the list refuses', async () => {
    const large = await app.account();
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status)
       SELECT $1, 'Ana', 'web', 'completed' FROM generate_series(1, 100001)`,
      [large.userId],
    );
    const { body } = await app.as(large).get('/api/user/calls/export').expect(422);
    expect(body.message).toBe(
      'A exportação tem 100001 linhas, e o máximo são 100000. Use filtros, como o de datas, para reduzi-la.',
    );
    const wrong = await app.as(owner).get('/api/user/calls/export?status=nope').expect(422);
    expect(Object.keys(wrong.body.errors)).toEqual(['status']);
    const path = `/api/user/campaigns/${campaign}/leads/export`;
    expect(Object.keys((await app.as(owner).get(`${path}?date_from=x`).expect(422)).body.errors)).toEqual([
      'date_from',
    ]);
  }, 60_000);

  it('lets two of an account run at once, and gives the place of a reader that is gone to the next', async () => {
    const busy = await app.account();
    await addCall(app.app.get(Database), busy.userId);
    await app.query(
      `INSERT INTO calls (user_id, assistant_name, type, status, variables)
       SELECT $1, 'Ana', 'web', 'completed', jsonb_build_object('x', repeat('x', 20000)) FROM generate_series(1, 3000)`,
      [busy.userId],
    );
    // A reader that takes the headers and nothing more.
    const begin = () =>
      new Promise<{ status: number; leave: () => void }>((resolve, reject) => {
        const headers = { Authorization: `Bearer ${busy.token}` };
        const asked = get(`${app.origin}/api/user/calls/export`, { headers, agent: false }, (answer) => {
          answer.pause();
          resolve({ status: answer.statusCode ?? 0, leave: () => void asked.destroy() });
        }).once('error', reject);
      });
    const running = [await begin(), await begin()];
    expect(running.map((each) => each.status)).toEqual([200, 200]);
    const refused = await app.as(busy).get('/api/user/calls/export').expect(429);
    expect(refused.headers['retry-after']).toBe('10');
    for (const { leave } of running) leave();
    const deadline = performance.now() + 10_000;
    let status = 429;
    while (status === 429 && performance.now() < deadline) {
      const next = await begin();
      ({ status } = next);
      next.leave();
    }
    expect(status).toBe(200);
  }, 60_000);

  it('answers 404 to a campaign of another account, and 401 without a token', async () => {
    const stranger = await app.account();
    const path = `/api/user/campaigns/${campaign}/leads/export`;
    expect((await app.as(stranger).get(path).expect(404)).body).toEqual({
      message: 'Campanha não encontrada',
    });
    await app.http.get(path).expect(401);
    await app.http.get('/api/user/calls/export').expect(401);
  });
});
