import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
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
