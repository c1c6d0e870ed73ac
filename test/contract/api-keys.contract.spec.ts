import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashToken } from '../../src/common/auth/opaque-token.js';
import { type TestAccount, TestApp } from '../support/app.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const TOKEN = /^prosa_[0-9A-Za-z]{36}$/;
const PASSWORD = 'correct horse battery';

describe('accounts, sessions and API keys', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account();
  });
  afterAll(() => app.stop());

  describe('Create API key', () => {
    // spec: conventions.timestamps-iso-8601, api-key.name, api-key.token, api-key.created_at
    // spec: create-api-key.auth, create-api-key.success, authentication.token-value-key
    it('answers 201 with message and the key, whose token is returned only this once', async () => {
      const { body } = await app.as(account).post('/api/user/api-keys').send({ name: 'CRM' }).expect(201);
      expect(body).toEqual({
        message: 'Chave de API criada com sucesso',
        api_key: {
          name: 'CRM',
          token: expect.stringMatching(TOKEN),
          created_at: expect.stringMatching(ISO),
        },
      });
      const { body: list } = await app.as(account).get('/api/user/api-keys').expect(200);
      expect(JSON.stringify(list)).not.toContain(body.api_key.token);
      await app.as({ token: body.api_key.token }).get('/api/user/me').expect(200);
    });

    it('stores a hash, never the token', async () => {
      const { body } = await app.as(account).post('/api/user/api-keys').send({ name: 'Hash' });
      const rows = await app.query<{ token_hash: Buffer }>('SELECT * FROM api_keys');
      expect(JSON.stringify(rows)).not.toContain(body.api_key.token);
      expect(rows.some((row) => row.token_hash.equals(hashToken(body.api_key.token)))).toBe(true);
    });

    // spec: create-api-key.body, errors.message-errors-field
    it.each([
      // spec: errors.create-api-key
      ['missing', {}],
      ['empty', { name: '  ' }],
      ['not a string', { name: 5 }],
      ['too long', { name: 'x'.repeat(256) }],
    ])('answers 422 with a validation body when the name is %s', async (_case, request) => {
      const { body } = await app.as(account).post('/api/user/api-keys').send(request).expect(422);
      expect(body).toEqual({ message: expect.any(String), errors: { name: [expect.any(String)] } });
    });

    // spec: create-api-key.auth
    it('can be done with a session token', async () => {
      const { email } = await app.account({ password: PASSWORD });
      const { body } = await app.http.post('/api/auth/login').send({ email, password: PASSWORD });
      await app.as({ token: body.token }).post('/api/user/api-keys').send({ name: 'By session' }).expect(201);
    });
  });

  describe('List and delete API keys', () => {
    // spec: api-key.token, api-key.fields-stored-keys, create-api-key.list-get-user
    it("lists the caller's keys without tokens", async () => {
      const other = await app.account();
      const { body } = await app.as(other).get('/api/user/api-keys').expect(200);
      expect(body).toEqual({
        api_keys: [
          {
            id: expect.any(Number),
            name: 'test',
            scopes: null,
            publishable: false,
            allowed_origins: null,
            expires_at: null,
            last_used_at: expect.stringMatching(ISO),
            created_at: expect.stringMatching(ISO),
          },
        ],
      });
    });

    it('remembers when a key was last used, without a write for each request', async () => {
      const other = await app.account();
      await app.as(other).get('/api/user/me');
      const read = async () => (await app.as(other).get('/api/user/api-keys')).body.api_keys[0].last_used_at;
      const first = await read();
      expect(first).toMatch(ISO);
      await app.as(other).get('/api/user/me');
      expect(await read()).toBe(first);
    });

    // spec: service.manage-api-keys, create-api-key.list-get-user
    it('deletes a key, which stops working at once', async () => {
      const { body: created } = await app.as(account).post('/api/user/api-keys').send({ name: 'Gone' });
      const { body: list } = await app.as(account).get('/api/user/api-keys');
      const { id } = list.api_keys.find(({ name }: { name: string }) => name === 'Gone');
      const { body } = await app.as(account).delete(`/api/user/api-keys/${id}`).expect(200);
      expect(body).toEqual({ message: 'Chave de API excluída com sucesso' });
      await app.as({ token: created.api_key.token }).get('/api/user/me').expect(401);
    });

    it("answers 404 {message} for a missing key and for another account's", async () => {
      const other = await app.account();
      const { body: list } = await app.as(account).get('/api/user/api-keys');
      for (const id of ['424242', 'x', list.api_keys[0].id]) {
        const { body } = await app.as(other).delete(`/api/user/api-keys/${id}`).expect(404);
        expect(body).toEqual({ message: 'Chave de API não encontrada' });
      }
      await app.as(account).get('/api/user/me').expect(200);
    });
  });
});
