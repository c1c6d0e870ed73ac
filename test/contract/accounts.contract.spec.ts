import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
    // spec: errors.message-texts-portuguese
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

    // spec: authentication.user-takes-authorization
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

    // spec: authentication.user-takes-authorization
    it('takes a session token', async () => {
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD });
      await app.as({ token: body.token }).get('/api/user/me').expect(200);
    });
  });

  describe('Settings', () => {
    it('are those of Brazil unless changed, and change one by one', async () => {
      const { token } = await app.account();
      const as = app.as({ token });
      const first = await as.get('/api/user/settings').expect(200);
      expect(first.body).toEqual({ country: 'BR', timezone: 'America/Sao_Paulo', call_sharing: false });
      const { body } = await as.put('/api/user/settings').send({ country: 'de' }).expect(200);
      expect(body).toEqual({
        message: 'Configurações atualizadas com sucesso',
        data: { country: 'DE', timezone: 'America/Sao_Paulo', call_sharing: false },
      });
      await as.put('/api/user/settings').send({ timezone: 'Europe/Berlin' }).expect(200);
      const second = await as.get('/api/user/settings').expect(200);
      expect(second.body).toEqual({ country: 'DE', timezone: 'Europe/Berlin', call_sharing: false });
    });

    it.each([
      ['country', 'XX'],
      ['country', 'Brazil'],
      ['country', null],
      ['timezone', 'Mars/Olympus'],
      ['timezone', '-03:00'],
      ['timezone', 'IST'],
      ['timezone', 'Canada/East-Saskatchewan'],
      ['timezone', ''],
    ])('refuse %s %j', async (field, value) => {
      const { body } = await app
        .as(account)
        .put('/api/user/settings')
        .send({ [field]: value })
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });

    it('say how numbers without a country code are read', async () => {
      const { token } = await app.account();
      const as = app.as({ token });
      await as.put('/api/user/settings').send({ country: 'DE' }).expect(200);
      const { body } = await as
        .post('/api/user/do-not-call')
        .send({ phone_number: '030 901820' })
        .expect(201);
      expect(body.data.phone_number).toBe('+4930901820');
    });

    it('can be given at registration', async () => {
      const { body } = await app.http
        .post('/api/auth/register')
        .send({
          name: 'Jo',
          email: 'jo@example.com',
          password: PASSWORD,
          country: 'us',
          timezone: 'America/New_York',
        })
        .expect(201);
      const settings = await app.as({ token: body.token }).get('/api/user/settings').expect(200);
      expect(settings.body).toEqual({ country: 'US', timezone: 'America/New_York', call_sharing: false });
    });
  });

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
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD });
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

  describe('Sessions', () => {
    // spec: authentication.session-tokens-created
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
      ['an unknown e-mail', () => ({ email: 'unknown@example.com', password: PASSWORD })],
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

    // spec: authentication.session-tokens-created
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

  describe('List and end sessions', () => {
    const BROWSER = 'Mozilla/5.0 Firefox/150.0';
    let owner: TestAccount;
    let first: string;
    let second: string;
    const begin = async (userAgent = BROWSER) =>
      (
        await app.http
          .post('/api/auth/login')
          .set('User-Agent', userAgent)
          .send({ email: owner.email, password: PASSWORD })
          .expect(200)
      ).body.token as string;
    const list = async (token: string) =>
      (await app.as({ token }).get('/api/auth/sessions').expect(200)).body.sessions;
    const alive = async (token: string) => (await app.as({ token }).get('/api/user/me')).status === 200;

    beforeEach(async () => {
      owner = await app.account({ password: PASSWORD });
      first = await begin();
      second = await begin('curl/8.15');
    });

    it('lists those that have not ended, newest first, with where they were begun', async () => {
      const common = {
        ip_address: '127.0.0.1',
        created_at: expect.stringMatching(ISO),
        expires_at: expect.stringMatching(ISO),
      };
      expect(await list(first)).toEqual([
        { id: expect.any(Number), current: false, user_agent: 'curl/8.15', ...common },
        { id: expect.any(Number), current: true, user_agent: BROWSER, ...common },
      ]);
      await app.query(
        "UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_agent = 'curl/8.15'",
      );
      expect(await list(first)).toHaveLength(1);
    });

    it('shows a key no session as its own', async () => {
      expect((await list(owner.token)).map(({ current }: { current: boolean }) => current)).toEqual([
        false,
        false,
      ]);
    });

    it('ends one, at once', async () => {
      const [{ id }] = await list(first);
      const { body } = await app.as({ token: first }).delete(`/api/auth/sessions/${id}`).expect(200);
      expect(body).toEqual({ message: 'Sessão encerrada com sucesso' });
      expect([await alive(first), await alive(second)]).toEqual([true, false]);
    });

    it("answers 404 {message} for a missing one and for another account's, which lives on", async () => {
      const [{ id }] = await list(first);
      const stranger = app.as(await app.account());
      for (const wrong of [id, 424_242, 'x']) {
        const { body } = await stranger.delete(`/api/auth/sessions/${wrong}`).expect(404);
        expect(body).toEqual({ message: 'Sessão não encontrada' });
      }
      expect(await alive(second)).toBe(true);
    });

    it('ends all others and keeps the current one', async () => {
      const { body } = await app.as({ token: first }).delete('/api/auth/sessions').expect(200);
      expect(body).toEqual({ message: 'Todas as outras sessões foram encerradas' });
      expect([await alive(first), await alive(second)]).toEqual([true, false]);
    });

    it('ends all for who calls with a key, which goes on working', async () => {
      await app.as(owner).delete('/api/auth/sessions').expect(200);
      expect([await alive(first), await alive(second), await alive(owner.token)]).toEqual([
        false,
        false,
        true,
      ]);
    });

    it('keeps the newest 200', async () => {
      await app.query(
        `INSERT INTO sessions (user_id, token_hash, expires_at)
         SELECT $1::integer, sha256(concat($1::integer, '-', n)::bytea), now() + interval '1 day' FROM generate_series(1, 199) n`,
        [owner.userId],
      );
      const newest = await begin();
      expect(await list(newest)).toHaveLength(200);
      expect([await alive(first), await alive(second), await alive(newest)]).toEqual([false, false, true]);
    });

    it.each([
      ['get', '/api/auth/sessions'],
      ['delete', '/api/auth/sessions'],
      ['delete', '/api/auth/sessions/1'],
    ] as const)('%s %s answers 401 without a token', async (method, path) => {
      await app.http[method](path).expect(401);
    });
  });

  describe('Change of password', () => {
    const NEXT = 'a horse of another color';
    let owner: TestAccount;
    const login = (password: string) =>
      app.http.post('/api/auth/login').send({ email: owner.email, password });
    const begin = async (password = PASSWORD) => (await login(password).expect(200)).body.token as string;
    const change = (token: string, body: object) => app.as({ token }).put('/api/auth/password').send(body);
    const alive = async (token: string) => (await app.as({ token }).get('/api/user/me')).status === 200;

    beforeEach(async () => {
      owner = await app.account({ password: PASSWORD });
    });

    it('puts the new one in the place of the old one, and ends all other sessions', async () => {
      const [current, other] = [await begin(), await begin()];
      const { body } = await change(current, { current_password: PASSWORD, password: NEXT }).expect(200);
      expect(body).toEqual({ message: 'Senha alterada com sucesso' });
      expect([await alive(current), await alive(other), await alive(owner.token)]).toEqual([
        true,
        false,
        true,
      ]);
      await login(PASSWORD).expect(401);
      await login(NEXT).expect(200);
    });

    it('needs the current one: 422 errors.current_password', async () => {
      const token = await begin();
      const { body } = await change(token, { current_password: 'not this one', password: NEXT }).expect(422);
      expect(body).toEqual({
        message: 'A senha atual está incorreta.',
        errors: { current_password: ['A senha atual está incorreta.'] },
      });
      await login(PASSWORD).expect(200);
    });

    it('is not for an account without one', async () => {
      const keysOnly = await app.account();
      await change(keysOnly.token, { current_password: 'anything', password: NEXT }).expect(422);
    });

    it.each([
      ['no current_password', 'current_password', { password: NEXT }],
      ['no password', 'password', { current_password: PASSWORD }],
      ['a short password', 'password', { current_password: PASSWORD, password: 'short' }],
      ['a common password', 'password', { current_password: PASSWORD, password: 'Senha@2026' }],
    ])('answers 422 for %s', async (_case, field, body) => {
      const { body: answer } = await change(await begin(), body).expect(422);
      expect(Object.keys(answer.errors)).toEqual([field]);
    });

    it('answers 401 without a token', async () => {
      await app.http
        .put('/api/auth/password')
        .send({ current_password: PASSWORD, password: NEXT })
        .expect(401);
    });

    it('leaves no session that was begun with the old one at the same moment', async () => {
      const current = await begin();
      const [, ...logins] = await Promise.all([
        change(current, { current_password: PASSWORD, password: NEXT }).expect(200),
        ...Array.from({ length: 12 }, () => login(PASSWORD)),
      ]);
      const tokens = logins.flatMap(({ body }) => (body.token ? [body.token as string] : []));
      expect(await Promise.all(tokens.map(alive))).toEqual(tokens.map(() => false));
    });

    it('takes one of two at the same moment', async () => {
      const token = await begin();
      const answers = await Promise.all(
        [NEXT, 'yet another long one'].map((password) =>
          change(token, { current_password: PASSWORD, password }),
        ),
      );
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422]);
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
      ['timezone', { timezone: 'Canada/East-Saskatchewan' }],
    ])('answers 422 for a wrong %s', async (field, change) => {
      const { body } = await app.http
        .post('/api/auth/register')
        .send({ ...details, ...change })
        .expect(422);
      expect(Object.keys(body.errors)).toEqual([field]);
    });

    it.each([
      'password',
      'password1',
      '12345678',
      'aaaaaaaaaa',
      'senha123',
      'Senha@2026',
      'Mudar123!',
      'corinthians10',
      'Flamengo',
      'iloveyou',
      'São Paulo 2026',
    ])('refuses the common password %p', async (password) => {
      const { body } = await app.http
        .post('/api/auth/register')
        .send({ ...details, email: 'caio@example.com', password })
        .expect(422);
      expect(body.errors).toEqual({
        password: ['Esta senha é muito comum e fácil de adivinhar. Escolha outra.'],
      });
    });

    it.each(['carolina.souza@example.com', 'Carolina.Souza@Example.com', 'carolina.souza'])(
      "refuses one's own e-mail as the password: %s",
      async (password) => {
        const email = 'carolina.souza@example.com';
        const { body } = await app.http
          .post('/api/auth/register')
          .send({ ...details, email, password })
          .expect(422);
        expect(body.errors).toEqual({ password: ['A senha não pode ser o seu e-mail. Escolha outra.'] });
      },
    );

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

  describe('Spend by day', () => {
    const spend = async (query: Record<string, unknown> = {}, caller = account) =>
      (await app.as(caller).get('/api/user/billing/spend').query(query).expect(200)).body.data;

    it('adds up the charges of each day in UTC, by kind, and shows the days without any', async () => {
      const spender = await app.account({ balanceUsd: 10 });
      const today = new Date().toISOString().slice(0, 10);
      for (const [kind, micros, daysAgo] of [
        ['message', 10_000, 0],
        ['message', 10_000, 0],
        ['call', 250_000, 0],
        ['phone_number', 1_000_000, 1],
        ['call', 70_000, 3],
      ]) {
        await app.query(
          `INSERT INTO ledger_entries (user_id, kind, amount_micros, balance_after_micros, reference, created_at)
           VALUES ($1, $2, -$3::bigint, 0, gen_random_uuid(), now() - $4 * interval '1 day')`,
          [spender.userId, kind, micros, daysAgo],
        );
      }
      const days = await spend({ days: 3 }, spender);
      expect(days).toHaveLength(3);
      expect(days[0]).toMatchObject({ total: 0 });
      expect(days[1]).toMatchObject({ total: 1, phone_number: 1 });
      expect(days[2]).toEqual({ day: today, total: 0.27, message: 0.02, call: 0.25, phone_number: 0 });
      expect(await spend({}, spender)).toHaveLength(30);
      expect((await spend({}, account)).every(({ total }: { total: number }) => total === 0)).toBe(true);
    });

    it.each([0, 91, 'x'])('answers 422 for %s days', async (days) => {
      const { body } = await app.as(account).get('/api/user/billing/spend').query({ days }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['days']);
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

    // spec: errors.other-status-codes
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
      const text = await app.metrics();
      expect(text).toContain('http_request_duration_seconds');
      expect(text).not.toContain('31337');
    });
  });
});
