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
    app = await TestApp.start({ OPEN_REGISTRATION: 'true' });
    account = await app.account({ balanceUsd: 12.34, password: PASSWORD });
  });
  afterAll(() => app.stop());

  describe('Authentication', () => {
    it.each([
      ['no header', undefined],
      ['another scheme', 'Basic abc'],
      ['no token', 'Bearer '],
      ['a token of wrong form', 'Bearer nonsense'],
      ['a well-formed token that was never issued', 'Bearer prosa_0000000000000000000000000000000000000'],
    ])('answers 401 {message} with %s', async (_case, header) => {
      const request = app.http.get('/api/user/me');
      if (header !== undefined) void request.set('Authorization', header);
      const { body } = await request.expect(401);
      expect(body).toEqual({ message: 'Não autorizado' });
    });

    it('takes a persistent API key', async () => {
      const { body } = await app.as(account).get('/api/user/me').expect(200);
      expect(body).toEqual({ name: 'Ana', email: account.email, total_balance: 12.34 });
    });

    it('keeps callers apart who come at the same moment', async () => {
      const accounts = await Promise.all(Array.from({ length: 20 }, () => app.account()));
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => {
          const caller = accounts[index % accounts.length] ?? account;
          return app
            .as(caller)
            .get('/api/user/me')
            .then(({ body }) => [body.email, caller.email]);
        }),
      );
      for (const [answered, asked] of answers) expect(answered).toBe(asked);
    });

    it('takes a token from the header alone', async () => {
      const inBody = (token: unknown) =>
        app.http.post('/api/user/api-keys').send({ name: 'x', access_token: token });
      expect((await inBody(account.token)).status).toBe(401);
      expect((await inBody([account.token])).status).toBe(401);
      await app.http.get('/api/user/me').query({ access_token: account.token }).expect(401);
      await app
        .as(account)
        .post('/api/user/api-keys')
        .send({ name: 'x', access_token: 'something else' })
        .expect(201);
    });

    it('takes a session token', async () => {
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD });
      await app.as({ token: body.token }).get('/api/user/me').expect(200);
    });
  });

  describe('Create API key', () => {
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

    it.each([
      ['missing', {}],
      ['empty', { name: '  ' }],
      ['not a string', { name: 5 }],
      ['too long', { name: 'x'.repeat(256) }],
    ])('answers 422 with a validation body when the name is %s', async (_case, request) => {
      const { body } = await app.as(account).post('/api/user/api-keys').send(request).expect(422);
      expect(body).toEqual({ message: expect.any(String), errors: { name: [expect.any(String)] } });
    });

    it('can be done with a session token', async () => {
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD });
      await app.as({ token: body.token }).post('/api/user/api-keys').send({ name: 'By session' }).expect(201);
    });
  });

  describe('List and delete API keys', () => {
    it("lists the caller's keys without tokens", async () => {
      const other = await app.account();
      const { body } = await app.as(other).get('/api/user/api-keys').expect(200);
      expect(body).toEqual({
        api_keys: [
          {
            id: expect.any(Number),
            name: 'test',
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

  describe('Sessions', () => {
    it('log in with e-mail, in any case, and password', async () => {
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email.toUpperCase(), password: PASSWORD })
        .expect(200);
      expect(body).toEqual({
        message: 'Login realizado com sucesso',
        user: { id: account.userId, name: 'Ana', email: account.email },
        token: expect.stringMatching(/^prosa_sess_[0-9A-Za-z]{36}$/),
        expires_at: expect.stringMatching(ISO),
      });
      const days = (new Date(body.expires_at).getTime() - Date.now()) / 86_400_000;
      expect(days).toBeCloseTo(30, 1);
    });

    it.each([
      ['a wrong password', () => ({ email: account.email, password: 'wrong password' })],
      ['an unknown e-mail', () => ({ email: 'nobody@example.com', password: PASSWORD })],
    ])('answer 401 with %s, in the same words', async (_case, credentials) => {
      const { body } = await app.http.post('/api/auth/login').send(credentials()).expect(401);
      expect(body).toEqual({ message: 'E-mail ou senha inválidos' });
    });

    it('refuse an account without a password', async () => {
      const keysOnly = await app.account();
      await app.http.post('/api/auth/login').send({ email: keysOnly.email, password: '' }).expect(422);
      await app.http
        .post('/api/auth/login')
        .send({ email: keysOnly.email, password: 'anything' })
        .expect(401);
    });

    it('end with logout', async () => {
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD });
      const session = app.as({ token: body.token });
      const { body: out } = await session.post('/api/auth/logout').expect(200);
      expect(out).toEqual({ message: 'Sessão encerrada com sucesso' });
      await session.get('/api/user/me').expect(401);
    });

    it('end by themselves after their time', async () => {
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD });
      await app.query("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE token_hash = $1", [
        hashToken(body.token),
      ]);
      await app.as({ token: body.token }).get('/api/user/me').expect(401);
    });

    it('are not what a key has: logging out a key is refused', async () => {
      await app.as(account).post('/api/auth/logout').expect(400);
    });
  });

  describe('Registration', () => {
    const details = { name: 'Bia', email: 'bia@example.com', password: 'long enough' };

    it('opens an account with a session where registration is open', async () => {
      const { body } = await app.http.post('/api/auth/register').send(details).expect(201);
      expect(body.user).toMatchObject({ name: 'Bia', email: 'bia@example.com' });
      const { body: me } = await app.as({ token: body.token }).get('/api/user/me').expect(200);
      expect(me.total_balance).toBe(0);
    });

    it('answers 422 errors.email for an e-mail that is taken, in any case', async () => {
      const { body } = await app.http
        .post('/api/auth/register')
        .send({ ...details, email: 'BIA@example.com' })
        .expect(422);
      expect(body.errors).toEqual({ email: ['Este e-mail já está em uso.'] });
    });

    it.each([
      ['name', { name: undefined }],
      ['email', { email: 'nope' }],
      ['password', { password: 'short' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
    ])('answers 422 for a wrong %s', async (field, change) => {
      const { body } = await app.http
        .post('/api/auth/register')
        .send({ ...details, ...change })
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });

    it('is closed by default', async () => {
      const closed = await TestApp.start();
      const { body } = await closed.http.post('/api/auth/register').send(details).expect(403);
      expect(body).toEqual({ message: 'O cadastro de novas contas está fechado' });
      await closed.stop();
    });
  });

  describe('Billing transactions', () => {
    it('lists the movements of the balance, newest first, as a page object', async () => {
      const { body } = await app.as(account).get('/api/user/billing/transactions').expect(200);
      expect(body).toMatchObject({ current_page: 1, per_page: 15, total: 1 });
      expect(body.data).toEqual([
        {
          id: expect.any(Number),
          type: 'credit',
          amount: 12.34,
          balance_after: 12.34,
          reference: 'test',
          created_at: expect.stringMatching(ISO),
        },
      ]);
    });
  });

  describe('Errors of any route', () => {
    it('malformed JSON is 400 {message}', async () => {
      const { body } = await app
        .as(account)
        .post('/api/user/api-keys')
        .set('Content-Type', 'application/json')
        .send('{"name":')
        .expect(400);
      expect(body).toEqual({ message: 'O corpo da requisição não é um JSON válido' });
    });

    it('a body over the limit is 413 {message}', async () => {
      const { body } = await app
        .as(account)
        .post('/api/user/api-keys')
        .send({ name: 'x'.repeat(1_100_000) })
        .expect(413);
      expect(body).toEqual({ message: 'O corpo da requisição é grande demais' });
    });

    it('an unknown route is 404 {message}', async () => {
      const { body } = await app.http.get('/api/user/nothing').expect(404);
      expect(body).toEqual({ message: 'Rota não encontrada' });
    });

    it.each([['[]'], ['"text"'], ['null'], ['7']])(
      'a body that is %s instead of an object is no 5xx',
      async (body) => {
        const response = await app
          .as(account)
          .post('/api/user/api-keys')
          .set('Content-Type', 'application/json')
          .send(body);
        expect([400, 422]).toContain(response.status);
      },
    );

    it('nesting without end is refused', async () => {
      const nested = (levels: number) => `${'{"deep":'.repeat(levels)}1${'}'.repeat(levels)}`;
      const send = (levels: number) =>
        app
          .as(account)
          .post('/api/user/api-keys')
          .set('Content-Type', 'application/json')
          .send(`{"name":"a","deep":${nested(levels)}}`);
      expect((await send(100)).status).toBe(422);
      expect([400, 422]).toContain((await send(50_000)).status);
    });
  });

  describe('Simultaneous callers', () => {
    it('get an answer each, and each about the own account', async () => {
      const callers = await Promise.all(Array.from({ length: 10 }, () => app.account()));
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => app.as(callers[index % 10]!).get('/api/user/me')),
      );
      expect(answers.map(({ body }) => body.email)).toEqual(
        answers.map((_, index) => callers[index % 10]?.email),
      );
    });
  });

  describe('Operations', () => {
    it('answers /health/live and /health/ready without a token', async () => {
      await app.http.get('/health/live').expect(200);
      await app.http.get('/health/ready').expect(200);
    });

    it('shows metrics by route pattern, never by path', async () => {
      await app.as(account).delete('/api/user/api-keys/31337');
      const { text } = await app.http.get('/metrics').expect(200);
      expect(text).toContain('http_request_duration_seconds');
      expect(text).not.toContain('31337');
    });
  });
});
