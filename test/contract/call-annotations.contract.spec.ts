import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';
import { LostCommits } from '../support/lost-commits.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;
let id: number;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account();
  other = await app.account();
});
beforeEach(async () => {
  id = await addCall();
});
afterAll(() => app.stop());

async function addCall(): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, ended_at)
     VALUES ($1, 'Bia', 'outbound', 'completed', '+5511987650001', now()) RETURNING id`,
    [owner.userId],
  );
  return row!.id;
}

async function key(scopes: readonly string[]): Promise<{ readonly token: string }> {
  const { body } = await app.as(owner).post('/api/user/api-keys').send({ name: 'k', scopes }).expect(201);
  return { token: body.api_key.token as string };
}

describe('notes of a call', () => {
  const notes = () => `/api/user/calls/${id}/notes`;
  const add = (text: unknown, who: { readonly token: string } = owner) =>
    app.as(who).post(notes()).send({ text });
  const list = async () => (await app.as(owner).get(notes()).expect(200)).body.data;

  it('are added, listed newest first, and deleted', async () => {
    const { body } = await add('Ligar na terça.').expect(201);
    const note = {
      id: expect.any(Number),
      author_name: null,
      text: 'Ligar na terça.',
      created_at: expect.stringMatching(ISO),
    };
    expect(body).toEqual({ message: 'Nota adicionada com sucesso', data: note });
    await add('Pediu desconto.', await key(['calls'])).expect(201);
    expect(await list()).toEqual([{ ...note, text: 'Pediu desconto.' }, note]);
    const path = `${notes()}/${body.data.id}`;
    expect((await app.as(owner).delete(path).expect(200)).body).toEqual({
      message: 'Nota excluída com sucesso',
    });
    await app.as(owner).delete(path).expect(404);
    expect(await list()).toHaveLength(1);
  });

  it('are bounded, need the scope `calls`, and are the account’s own', async () => {
    await add('x'.repeat(2_001)).expect(422);
    await add('').expect(422);
    await add('Oi', await key(['read'])).expect(403);
    await add('Oi', other).expect(404);
    await app.as(other).get(notes()).expect(404);
    const { body } = await add('x'.repeat(2_000)).expect(201);
    await app.as(other).delete(`${notes()}/${body.data.id}`).expect(404);
    await app.query(
      `INSERT INTO call_notes (user_id, call_id, text) SELECT $1, $2, 'x' FROM generate_series(1, 199)`,
      [owner.userId, id],
    );
    expect((await add('Mais uma').expect(409)).body.message).toMatch(/^A ligação já tem 200 notas/);
  });

  it('name the member who wrote them', async () => {
    const added = await add('Oi', await addMember(app, owner, { name: 'Bia Lima' })).expect(201);
    expect(added.body.data.author_name).toBe('Bia Lima');
  });

  it('are added once when the answer of the commit is lost', async () => {
    const lost = await LostCommits.start();
    try {
      const account = await lost.app.account();
      const [call] = await lost.app.query<{ id: number }>(
        `INSERT INTO calls (user_id, assistant_name, type, status, client_phone_number, ended_at)
         VALUES ($1, 'Bia', 'outbound', 'completed', '+5511987650001', now()) RETURNING id`,
        [account.userId],
      );
      await lost.expectOneEffect('addCallNote', account, {
        path: `/api/user/calls/${call!.id}/notes`,
        body: { text: 'Ligar na terça.' },
        table: 'call_notes',
      });
    } finally {
      await lost.stop();
    }
  }, 60_000);

  it('are gone with the call, and are taken by no erased call', async () => {
    await add('Oi').expect(201);
    await app.as(owner).delete(`/api/user/calls/${id}`).expect(200);
    expect(await app.query('SELECT FROM call_notes WHERE call_id = $1', [id])).toEqual([]);
    id = await addCall();
    await app.query('UPDATE calls SET erased_at = now() WHERE id = $1', [id]);
    await add('Oi').expect(404);
  });
});

describe('tags of a call', () => {
  const tag = (tags: unknown, who: { readonly token: string } = owner) =>
    app.as(who).put(`/api/user/calls/${id}/tags`).send({ tags });

  it('replace those before, and narrow lists and files of calls down', async () => {
    expect((await tag(['retorno', ' VIP ', 'retorno ']).expect(200)).body).toEqual({
      message: 'Tags atualizadas com sucesso',
      data: { tags: ['VIP', 'retorno'] },
    });
    const { body } = await app.as(owner).get(`/api/user/calls/${id}`).expect(200);
    expect(body.tags).toEqual(['VIP', 'retorno']);
    const found = async (query: string) =>
      (await app.as(owner).get(`/api/user/calls?${query}`).expect(200)).body;
    expect(await found('tag=VIP')).toMatchObject({ total: 1, data: [{ id }] });
    expect(await found('tag=VIP&type=inbound')).toMatchObject({ total: 0, data: [] });
    expect((await app.as(other).get('/api/user/calls?tag=VIP').expect(200)).body.total).toBe(0);
    const file = await app.as(owner).get('/api/user/calls/export?tag=retorno').expect(200);
    expect(file.text.trim().split('\n')).toHaveLength(2);
    await tag([]).expect(200);
    expect((await found('tag=VIP')).total).toBe(0);
  });

  it('are bounded, need the scope `calls`, and an own call', async () => {
    await tag(Array.from({ length: 11 }, (_, at) => `t${at}`)).expect(422);
    await tag(['x'.repeat(41)]).expect(422);
    await tag('x').expect(422);
    await tag(['x'], await key(['read'])).expect(403);
    await tag(['x'], other).expect(404);
  });

  it('are in a file of chosen calls, which has no other ones', async () => {
    await tag(['lote']).expect(200);
    const file = async (query: object, who: { readonly token: string } = owner) =>
      (await app.as(who).get('/api/user/calls/export').query(query).expect(200)).text.trim().split('\n')
        .length - 1;
    expect(await file({ ids: `${id},2147483` })).toBe(1);
    expect(await file({ ids: String(id), tag: 'lote' })).toBe(1);
    expect(await file({ ids: String(id), tag: 'outra' })).toBe(0);
    expect(await file({ ids: String(id) }, other)).toBe(0);
    for (const ids of ['a', '1,', '1,,2', '0', '1;2', Array(101).fill('1').join()])
      await app.as(owner).get('/api/user/calls/export').query({ ids }).expect(422);
  });
});
