import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';

const LIST = '/api/user/calls';

let app: TestApp;
let ana: TestAccount;

beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());
beforeEach(async () => {
  ana = await app.account();
});

interface Given {
  readonly phone?: string | null;
  readonly transcript?: string;
  readonly type?: string;
  readonly status?: string;
  readonly daysAgo?: number;
}

async function addCall(
  account: TestAccount,
  { phone = '+5511998765432', transcript = '', type = 'outbound', status = 'completed', daysAgo = 0 }: Given,
): Promise<number> {
  const [call] = await app.query<{ id: number }>(
    `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, transcript, created_at)
     VALUES ($1, 'Bia', $2, $3, $4, $5, now() - make_interval(days => $6)) RETURNING id`,
    [account.userId, type, status, phone, transcript, daysAgo],
  );
  return call!.id;
}

const list = (query: Record<string, unknown>, account = ana) => app.as(account).get(LIST).query(query);
const idsOf = async (q: string, more: Record<string, unknown> = {}, account = ana): Promise<number[]> => {
  const { body } = await list({ q, ...more }, account).expect(200);
  expect(body.total).toBe(body.data.length);
  return body.data.map(({ id }: { id: number }) => id);
};

describe('GET /api/user/calls?q=', () => {
  it('finds any four digits or more of the customer number, however they are written', async () => {
    const id = await addCall(ana, {});
    await addCall(ana, { phone: '+5521912340000' });
    for (const q of [
      '9876',
      '5432',
      '+55 11',
      '(11) 99876-5432',
      '+55 (11) 9987',
      '011998765432',
      '5511998765432',
    ])
      expect({ q, ids: await idsOf(q) }).toEqual({ q, ids: [id] });
    expect(await idsOf('54321')).toEqual([]);
  });

  it('finds calls with all words of the transcript, without regard to case and accents', async () => {
    const id = await addCall(ana, { transcript: 'Cliente: Quero três pães, João. Pedido nº 4711' });
    await addCall(ana, { transcript: 'Cliente: Quero dois bolos' });
    for (const q of ['paes', 'TRÊS PÃES', 'pães quero', 'quero joã', 'pedido 471', '4711', 'PEDI'])
      expect({ q, ids: await idsOf(q) }).toEqual({ q, ids: [id] });
    for (const q of ['paes bolos', 'quer joao', 'oao', 'jo'])
      expect({ q, ids: await idsOf(q) }).toEqual({ q, ids: [] });
  });

  it('searches for fewer than four digits as words', async () => {
    const id = await addCall(ana, { transcript: 'Mesa para 12, às 20 horas' });
    await addCall(ana, { phone: '+5511912121212' });
    expect(await idsOf('12')).toEqual([id]);
    expect(await idsOf('20 12')).toEqual([id]);
    expect(await idsOf('12 21')).toEqual([]);
    expect(await idsOf('mesa 12')).toEqual([id]);
  });

  it('finds parts of a number and words together', async () => {
    const id = await addCall(ana, { transcript: 'Entrega amanhã' });
    await addCall(ana, { transcript: 'Entrega amanhã', phone: '+5521912340000' });
    await addCall(ana, { transcript: 'Nada' });
    expect(await idsOf('99876-54 entrega')).toEqual([id]);
    expect(await idsOf('entrega 998765432')).toEqual([id]);
  });

  it('narrows down with every other filter, in pages, newest first, and as a file', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 25; n++) {
      const type = n % 5 === 0 ? 'inbound' : 'outbound';
      ids.unshift(await addCall(ana, { transcript: `bom dia ${n}`, type, daysAgo: 30 - n }));
    }
    await addCall(ana, { transcript: 'boa noite' });
    const { body } = await list({ q: 'bom dia', per_page: 10, page: 2 }).expect(200);
    expect(body).toMatchObject({ total: 25, last_page: 3 });
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids.slice(10, 20));
    expect(body.next_page_url).toContain('q=bom');
    expect(await idsOf('bom dia', { type: 'inbound' })).toEqual([4, 9, 14, 19, 24].map((n) => ids[n]));
    expect(await idsOf('bom dia', { status: 'busy' })).toEqual([]);
    expect(await idsOf('bom dia', { phone_number: '11 99876-5432', per_page: 100 })).toHaveLength(25);
    expect(await idsOf('bom dia', { live: 'true' })).toEqual([]);
    const day = new Date(Date.now() - 10 * 86_400_000).toISOString().slice(0, 10);
    const since = await idsOf('bom dia', { date_from: day });
    expect(since.length).toBeGreaterThan(3);
    expect(since).toEqual(ids.slice(0, since.length));
    const { text } = await app
      .as(ana)
      .get(`${LIST}/export`)
      .query({ q: 'bom dia', type: 'inbound' })
      .expect(200);
    expect(text.trim().split('\n')).toHaveLength(6);
    const all = await app.as(ana).get(`${LIST}/export`).query({ q: 'bom dia' }).expect(200);
    expect(all.text.trim().split('\n')).toHaveLength(26);
  });

  it('finds a live call by its number, and its words once they are recorded', async () => {
    const id = await addCall(ana, { status: 'in-progress' });
    expect(await idsOf('99876', { live: 'true' })).toEqual([id]);
    await app.query("UPDATE calls SET status = 'completed', transcript = 'pão doce' WHERE id = $1", [id]);
    expect(await idsOf('doce 99876')).toEqual([id]);
  });

  it('finds no call of another account', async () => {
    const other = await app.account();
    await addCall(other, { transcript: 'um segredo' });
    for (const q of [
      'segredo',
      '99876',
      `${other.userId} segredo`,
      '#99876',
      "segredo':*",
      'segredo | segredo',
    ])
      expect({ q, ids: await idsOf(q) }).toEqual({ q, ids: [] });
    expect(await idsOf('segredo', {}, other)).toHaveLength(1);
  });

  it.each([
    [
      '?!',
      {
        pt: 'O campo q deve conter pelo menos uma letra ou um dígito.',
        en: 'The q field must contain at least one letter or digit.',
      },
    ],
    [
      'a'.repeat(201),
      {
        pt: 'O campo q não pode ter mais de 200 caracteres.',
        en: 'The q field must not be greater than 200 characters.',
      },
    ],
  ])("refuses '%s' in both languages", async (q, { pt, en }) => {
    for (const [language, text] of Object.entries({ pt, en })) {
      const { body } = await list({ q }).set('X-Prosa-Language', language).expect(422);
      expect(body.errors.q[0]).toBe(text);
    }
    await app.as(ana).get(`${LIST}/export`).query({ q }).expect(422);
  });

  it.each([
    "o'clock \\ \" ' & | ! <-> :*",
    '%_',
    'a\u0000b',
    '\ud800',
    '١٢٣٤',
    '営業時間',
    'a '.repeat(100).trim(),
  ])("answers '%s' without an error of the server", async (q) => {
    const { status } = await list({ q });
    expect([200, 422]).toContain(status);
  });
});
