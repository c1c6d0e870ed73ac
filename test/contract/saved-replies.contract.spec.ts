import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { LostCommits } from '../support/lost-commits.js';

const PATH = '/api/user/saved-replies';
const NOT_FOUND = { message: 'Resposta salva não encontrada' };

describe('saved replies', () => {
  let app: TestApp;
  let owner: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    other = await app.account();
  });
  afterAll(() => app.stop());

  const create = (shortcut: string, who = owner) =>
    app.as(who).post(PATH).send({ shortcut, text: ' Olá, {{name}}! ' });

  it('are created, changed, listed by their shortcuts and deleted', async () => {
    const { body } = await create('Saudação-1').expect(201);
    const first = { id: expect.any(Number), shortcut: 'saudação-1', text: 'Olá, {{name}}!' };
    expect(body).toEqual({ message: 'Resposta salva com sucesso', data: first });
    const path = `${PATH}/${body.data.id}`;
    const changed = await app.as(owner).put(path).send({ text: 'Bom dia!' }).expect(200);
    expect(changed.body.data).toEqual({ ...first, text: 'Bom dia!' });
    const earlier = (await create('Agenda').expect(201)).body.data;
    const listed = await app.as(owner).get(PATH).expect(200);
    expect(listed.body).toEqual({ data: [earlier, changed.body.data] });
    await app.as(owner).delete(path).expect(200);
    expect((await app.as(owner).delete(path).expect(404)).body).toEqual(NOT_FOUND);
  });

  it('have shortcuts that are unique within an account in any case and any form of their accents', async () => {
    const taken = { shortcut: ['O campo shortcut já está em uso por outra resposta salva.'] };
    const renamed = (await create('outra').expect(201)).body.data;
    await create('endereço').expect(201);
    expect((await create('ENDEREÇO'.normalize('NFD')).expect(422)).body.errors).toEqual(taken);
    const answer = await app
      .as(owner)
      .put(`${PATH}/${renamed.id}`)
      .send({ shortcut: 'Endereço' })
      .expect(422);
    expect(answer.body.errors).toEqual(taken);
    await create('endereço', other).expect(201);
  });

  it('are seen by their own account only', async () => {
    const { body } = await create('propria').expect(201);
    const path = `${PATH}/${body.data.id}`;
    expect((await app.as(other).put(path).send({ text: 'Minha' }).expect(404)).body).toEqual(NOT_FOUND);
    expect((await app.as(other).delete(path).expect(404)).body).toEqual(NOT_FOUND);
    expect((await app.as(other).get(PATH).expect(200)).text).not.toContain('propria');
  });

  it.each([
    ['shortcut', { text: 'Olá' }],
    ['shortcut', { shortcut: '', text: 'Olá' }],
    ['shortcut', { shortcut: 'bom dia', text: 'Olá' }],
    ['shortcut', { shortcut: '/oi', text: 'Olá' }],
    ['shortcut', { shortcut: 'x'.repeat(41), text: 'Olá' }],
    // In lowercase it is an i and a combining dot.
    ['shortcut', { shortcut: 'İade', text: 'Olá' }],
    ['text', { shortcut: 'vazia' }],
    ['text', { shortcut: 'vazia', text: ' ' }],
    ['text', { shortcut: 'longa', text: 'x'.repeat(2_001) }],
  ])('refuse a wrong %s: %j', async (field, body) => {
    const answer = await app.as(owner).post(PATH).send(body).expect(422);
    expect(answer.body).toMatchObject({ errors: { [field]: [expect.any(String)] } });
  });

  it('are at most 200 in an account, also when several are created at once', async () => {
    const full = await app.account();
    await app.query(
      `INSERT INTO saved_replies (user_id, shortcut, text)
       SELECT $1, 'r' || number, 'Olá' FROM generate_series(1, 199) AS number`,
      [full.userId],
    );
    const answers = await Promise.all(['a', 'b', 'c'].map((shortcut) => create(shortcut, full)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.message).toContain('200 respostas salvas');
  });

  it('are created once when the answer of the commit is lost', async () => {
    const lost = await LostCommits.start();
    try {
      await lost.expectOneEffect('createSavedReply', await lost.app.account(), {
        path: PATH,
        body: { shortcut: 'once', text: 'Olá' },
        table: 'saved_replies',
      });
    } finally {
      await lost.stop();
    }
  }, 60_000);
});
