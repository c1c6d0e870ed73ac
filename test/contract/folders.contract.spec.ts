import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';

const NOT_FOUND = { message: 'Pasta não encontrada' };
const COLORS = ['gray', 'slate', 'red', 'orange', 'amber', 'green', 'teal', 'blue', 'purple', 'pink'];

describe('folders', () => {
  let app: TestApp;
  let database: Database;
  let account: TestAccount;
  let other: TestAccount;
  let names = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    database = app.app.get(Database);
    account = await app.account();
    other = await app.account();
  });
  afterAll(() => app.stop());

  const create = (body: object, who = account) => app.as(who).post('/api/user/folder').send(body);
  const created = async (who = account): Promise<number> =>
    (await create({ name: `Pasta ${++names}` }, who).expect(201)).body.data.id;
  const update = (id: number | string, body: object, who = account) =>
    app.as(who).put(`/api/user/folder/${id}`).send(body);
  const list = (who: TestAccount, query: Record<string, unknown> = {}) =>
    app.as(who).get('/api/user/folders').query(query);
  const addAssistant = async (who: TestAccount, folderId: number): Promise<number> => {
    const [row] = await database.query<{ id: number }>(
      `INSERT INTO assistants (uuid, user_id, name, type, mode, language_id, voice_id, config, folder_id)
       VALUES ($1, $2, 'Recepção', 'inbound', 'pipeline', 1, 1, '{}', $3) RETURNING id`,
      [randomUUID(), who.userId, folderId],
    );
    return row!.id;
  };

  it.each([
    ['get', '/api/user/folders'],
    ['post', '/api/user/folder'],
    ['put', '/api/user/folder/1'],
    ['delete', '/api/user/folder/1'],
  ] as const)('%s %s answers 401 {message} without a token', async (method, path) => {
    expect((await app.http[method](path).expect(401)).body).toEqual({ message: 'Não autorizado' });
  });

  describe('Create folder', () => {
    // spec: service.manage-api-keys, language-and-folder.folder-identified-integer
    it('answers 201 with message and {id, name, color, assistants_count}', async () => {
      const { body } = await create({ name: 'Clientes', color: 'blue' }).expect(201);
      expect(body).toEqual({
        message: 'Pasta criada com sucesso',
        data: { id: expect.any(Number), name: 'Clientes', color: 'blue', assistants_count: 0 },
      });
    });

    it.each([...COLORS, null, undefined])('accepts the color %p', async (color) => {
      const { body } = await create({ name: `Cor ${color}`, color }).expect(201);
      expect(body.data.color).toBe(color ?? null);
    });

    it.each(['black', 'BLUE', '', 1, ['red']])('refuses the color %p', async (color) => {
      const { body } = await create({ name: `Pasta ${++names}`, color }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['color']);
    });

    it.each([undefined, null, '', '   ', 5, ['a'], 'x'.repeat(256)])('refuses the name %p', async (name) => {
      expect(Object.keys((await create({ name }).expect(422)).body.errors)).toEqual(['name']);
    });

    it('accepts a name of 255 characters', async () => {
      await create({ name: 'x'.repeat(255) }).expect(201);
    });

    it('name is unique within the account: 422 errors.name, spaces around it aside', async () => {
      await create({ name: 'Única' }).expect(201);
      for (const name of ['Única', '  Única ']) {
        const { body } = await create({ name }).expect(422);
        expect(body).toEqual({
          message: 'O campo name já está em uso por outra pasta.',
          errors: { name: ['O campo name já está em uso por outra pasta.'] },
        });
      }
      await create({ name: 'Única' }, other).expect(201);
    });

    it('makes one of many of the same name that come at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => create({ name: 'Corrida' })));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
        201, 422, 422, 422, 422, 422,
      ]);
    });
  });

  describe('List folders', () => {
    it('answers {data, current_page, per_page, total} with the assistants of each counted', async () => {
      const owner = await app.account();
      const [full, empty] = [await created(owner), await created(owner)];
      await addAssistant(owner, full);
      await addAssistant(owner, full);
      const { body } = await list(owner).expect(200);
      expect(body).toEqual({
        data: [
          { id: full, name: expect.any(String), color: null, assistants_count: 2 },
          { id: empty, name: expect.any(String), color: null, assistants_count: 0 },
        ],
        current_page: 1,
        per_page: 15,
        total: 2,
      });
    });

    it('has pages of per_page 1 to 100, default 15', async () => {
      const owner = await app.account();
      const ids: number[] = [];
      for (let i = 0; i < 17; i++) ids.push(await created(owner));
      const idsOf = async (query: Record<string, unknown>) =>
        (await list(owner, query).expect(200)).body.data.map(({ id }: { id: number }) => id);
      expect(await idsOf({})).toEqual(ids.slice(0, 15));
      expect(await idsOf({ page: 2 })).toEqual(ids.slice(15));
      expect(await idsOf({ per_page: 5, page: 4 })).toEqual(ids.slice(15));
      expect(await idsOf({ per_page: 100 })).toEqual(ids);
      const { body } = await list(owner, { per_page: 10, page: 9 }).expect(200);
      expect(body).toEqual({ data: [], current_page: 9, per_page: 10, total: 17 });
    });

    it.each([
      ['per_page', '0'],
      ['per_page', '101'],
      ['per_page', 'x'],
      ['page', '0'],
      ['page', '-1'],
      ['page', '1.5'],
      ['page', '99999999999999'],
    ])('refuses %s=%s', async (field, value) => {
      expect(Object.keys((await list(account, { [field]: value }).expect(422)).body.errors)).toEqual([field]);
    });

    it('shows nothing of other accounts', async () => {
      const otherAccount = await app.account();
      expect((await list(otherAccount).expect(200)).body).toEqual({
        data: [],
        current_page: 1,
        per_page: 15,
        total: 0,
      });
    });
  });

  describe('Update folder', () => {
    it('changes the fields that are sent and answers message and data', async () => {
      const id = await created();
      await addAssistant(account, id);
      const { body } = await update(id, { name: 'Renomeada' }).expect(200);
      expect(body).toEqual({
        message: 'Pasta atualizada com sucesso',
        data: { id, name: 'Renomeada', color: null, assistants_count: 1 },
      });
      const colored = await update(id, { color: 'pink' }).expect(200);
      expect(colored.body.data).toMatchObject({ name: 'Renomeada', color: 'pink' });
      expect((await update(id, { color: null }).expect(200)).body.data.color).toBeNull();
      expect((await update(id, {}).expect(200)).body.data.name).toBe('Renomeada');
    });

    it('keeps its own name, and refuses that of another folder', async () => {
      const [first, second] = [await created(), await created()];
      await update(first, { name: 'Ocupada' }).expect(200);
      await update(first, { name: 'Ocupada' }).expect(200);
      expect(Object.keys((await update(second, { name: 'Ocupada' }).expect(422)).body.errors)).toEqual([
        'name',
      ]);
    });

    it.each<[string, unknown]>([
      ['name', null],
      ['name', ''],
      ['name', 'x'.repeat(256)],
      ['color', 'black'],
    ])('refuses the %s %p', async (field, value) => {
      const id = await created();
      expect(Object.keys((await update(id, { [field]: value }).expect(422)).body.errors)).toEqual([field]);
    });

    it.each(['999999', '0', 'abc', '99999999999'])('not found: {message} for the id %s', async (id) => {
      expect((await update(id, { name: 'x' }).expect(404)).body).toEqual(NOT_FOUND);
    });

    it('not found: {message} for the folder of another account', async () => {
      const id = await created();
      expect((await update(id, { name: 'x' }, other).expect(404)).body).toEqual(NOT_FOUND);
    });
  });

  describe('Delete folder', () => {
    const remove = (id: number | string, who = account) => app.as(who).delete(`/api/user/folder/${id}`);

    // spec: delete-folder.route
    it('answers {message}; its assistants stay, in no folder', async () => {
      const id = await created();
      const assistantId = await addAssistant(account, id);
      expect((await remove(id).expect(200)).body).toEqual({ message: 'Pasta excluída com sucesso' });
      const rows = await database.query('SELECT folder_id FROM assistants WHERE id = $1', [assistantId]);
      expect(rows).toEqual([{ folder_id: null }]);
      expect((await remove(id).expect(404)).body).toEqual(NOT_FOUND);
    });

    // spec: delete-folder.not-found, errors.message-not-found
    it.each(['999999', '0', 'abc'])('not found: {message} for the id %s', async (id) => {
      expect((await remove(id).expect(404)).body).toEqual(NOT_FOUND);
    });

    // spec: delete-folder.not-found
    it('not found: {message} for the folder of another account, which stays', async () => {
      const id = await created();
      expect((await remove(id, other).expect(404)).body).toEqual(NOT_FOUND);
      await update(id, {}).expect(200);
    });
  });
});
