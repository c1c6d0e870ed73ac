import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hashToken } from '../../src/common/auth/opaque-token.js';
import { type TestAccount, TestApp } from '../support/app.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const PASSWORD = 'correct horse battery';

describe('accounts, sessions and API keys', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account({ password: PASSWORD });
  });
  afterAll(() => app.stop());

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

    it('keeps them however many are begun with a key', async () => {
      const key = { name: 'reports', scopes: ['read'] };
      const { body } = await app.as(owner).post('/api/user/api-keys').send(key).expect(201);
      const [row] = await app.query<{ id: number }>(
        "SELECT id FROM api_keys WHERE user_id = $1 AND name = 'reports'",
        [owner.userId],
      );
      await app.query(
        `INSERT INTO sessions (user_id, api_key_id, token_hash, expires_at)
         SELECT $1::integer, $2::integer, sha256(concat($1::integer, '-key-', n)::bytea), now() + interval '1 day'
         FROM generate_series(1, 205) n`,
        [owner.userId, row?.id],
      );
      await app.as({ token: body.api_key.token }).post('/api/auth/session').expect(200);
      expect([await alive(first), await alive(second)]).toEqual([true, true]);
      expect(await app.query('SELECT FROM sessions WHERE api_key_id = $1', [row?.id])).toHaveLength(200);
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
});
