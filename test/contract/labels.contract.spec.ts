import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';

const NOT_FOUND = { message: 'Etiqueta não encontrada' };

describe('labels', () => {
  let app: TestApp;
  let account: TestAccount;
  let other: TestAccount;
  let names = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account();
    other = await app.account();
  });
  afterAll(() => app.stop());

  const created = async (who = account): Promise<number> =>
    (
      await app
        .as(who)
        .post('/api/user/label')
        .send({ name: `Etiqueta ${++names}` })
        .expect(201)
    ).body.data.id;
  const labelsOf = async (id: number): Promise<number[]> =>
    (await app.as(account).get(`/api/user/assistant/${id}`).expect(200)).body.label_ids;
  const update = (id: number, body: object) => app.as(account).put(`/api/user/assistant/${id}`).send(body);

  it.each([
    ['get', '/api/user/labels'],
    ['post', '/api/user/label'],
    ['post', '/api/user/labels'],
    ['put', '/api/user/label/1'],
    ['put', '/api/user/labels/1'],
    ['delete', '/api/user/label/1'],
    ['delete', '/api/user/labels/1'],
  ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
    expect((await app.http[method](path).expect(401)).body).toEqual({ message: 'Não autorizado' });
  });

  it.each(['label', 'labels'])('are created, changed and deleted at /user/%s', async (path) => {
    const as = app.as(account);
    const { body } = await as
      .post(`/api/user/${path}`)
      .send({ name: ` Em ${path} `, color: 'teal' })
      .expect(201);
    const { id } = body.data;
    expect(body).toEqual({
      message: 'Etiqueta criada com sucesso',
      data: { id: expect.any(Number), name: `Em ${path}`, color: 'teal', assistants_count: 0 },
    });
    const changed = await as.put(`/api/user/${path}/${id}`).send({ color: null }).expect(200);
    expect(changed.body).toEqual({
      message: 'Etiqueta atualizada com sucesso',
      data: { id, name: `Em ${path}`, color: null, assistants_count: 0 },
    });
    const deleted = await as.delete(`/api/user/${path}/${id}`).expect(200);
    expect(deleted.body).toEqual({ message: 'Etiqueta excluída com sucesso' });
    expect((await as.delete(`/api/user/${path}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
    expect((await as.put(`/api/user/${path}/${id}`).send({ name: 'X' }).expect(404)).body).toEqual(NOT_FOUND);
  });

  it('have a name of their own within the account, and a colour of the list', async () => {
    const create = (body: object, who = account) => app.as(who).post('/api/user/label').send(body);
    await create({ name: 'VIP' }).expect(201);
    const { body } = await create({ name: ' VIP ' }).expect(422);
    expect(body.errors).toEqual({ name: ['O campo name já está em uso por outra etiqueta.'] });
    await create({ name: 'VIP' }, other).expect(201);
    expect(Object.keys((await create({ name: 'Outra', color: 'black' }).expect(422)).body.errors)).toEqual([
      'color',
    ]);
  });

  it('are listed with the number of assistants that have each', async () => {
    const owner = await app.account();
    const [many, none] = [await created(owner), await created(owner)];
    await createAssistant(app, owner, { label_ids: [many] });
    await createAssistant(app, owner, { label_ids: [many] });
    const { body } = await app.as(owner).get('/api/user/labels').expect(200);
    expect(body).toEqual({
      data: [
        { id: many, name: expect.any(String), color: null, assistants_count: 2 },
        { id: none, name: expect.any(String), color: null, assistants_count: 0 },
      ],
      current_page: 1,
      per_page: 15,
      total: 2,
    });
    expect(
      (await app.as(other).get('/api/user/labels?per_page=100').expect(200)).body.data,
    ).not.toContainEqual(expect.objectContaining({ id: many }));
  });

  it('are kept by an assistant in the order in which they were given, until others are', async () => {
    const [first, second, third] = [await created(), await created(), await created()];
    const { id } = await createAssistant(app, account, { label_ids: [second, first] });
    expect(await labelsOf(id)).toEqual([second, first]);
    await update(id, { name: 'Recepção' }).expect(200);
    expect(await labelsOf(id)).toEqual([second, first]);
    await update(id, { label_ids: [third] }).expect(200);
    expect(await labelsOf(id)).toEqual([third]);
    await update(id, { label_ids: null }).expect(200);
    expect(await labelsOf(id)).toEqual([]);
  });

  it('are taken from assistants when they are deleted', async () => {
    const [gone, kept] = [await created(), await created()];
    const { id } = await createAssistant(app, account, { label_ids: [gone, kept] });
    await app.as(account).delete(`/api/user/label/${gone}`).expect(200);
    expect(await labelsOf(id)).toEqual([kept]);
  });

  it('are on no assistant when they are deleted while they are given to it', async () => {
    for (let round = 0; round < 10; round++) {
      const label = await created();
      const { id } = await createAssistant(app, account, {});
      const [given] = await Promise.all([
        update(id, { label_ids: [label] }),
        app.as(account).delete(`/api/user/label/${label}`).expect(200),
      ]);
      expect([200, 422]).toContain(given.status);
      expect(await labelsOf(id)).toEqual([]);
    }
  });

  it.each([
    ['of another account', async () => [await created(other)]],
    ['that is not there', async () => [2_000_000_000]],
    ['twice', async () => Array<number>(2).fill(await created())],
  ])('an assistant cannot have one %s: 422 errors.label_ids', async (_which, ids) => {
    const { id } = await createAssistant(app, account, {});
    const { body } = await update(id, { label_ids: await ids() }).expect(422);
    expect(Object.keys(body.errors)[0]).toMatch(/^label_ids/);
    expect(await labelsOf(id)).toEqual([]);
  });
});
