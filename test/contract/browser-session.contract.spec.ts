import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';

const PASSWORD = 'correct horse battery';
const OWN_ORIGIN = 'https://voz.example.com';
const FOREIGN = 'https://evil.example';

interface Cookie {
  readonly value: string;
  readonly attributes: readonly string[];
}

function cookieOf(headers: Record<string, unknown>): Cookie {
  const [header = ''] = headers['set-cookie'] as string[];
  const [pair = '', ...attributes] = header.split('; ');
  return { value: pair, attributes };
}

describe('the session of a browser', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({ PUBLIC_URL: OWN_ORIGIN });
    account = await app.account({ password: PASSWORD });
  });
  afterAll(() => app.stop());

  const begin = () => app.http.post('/api/auth/session');
  const credentials = () => ({ email: account.email, password: PASSWORD });
  const signIn = async (): Promise<string> => {
    const { headers } = await begin().send(credentials()).expect(200);
    return cookieOf(headers).value;
  };
  const host = () => new URL(app.origin).host;

  describe('Begin', () => {
    it('puts the token where no script sees it, for this host alone', async () => {
      const { body, headers } = await begin().send(credentials()).expect(200);
      expect(body).toEqual({
        message: 'Login realizado com sucesso',
        user: { id: account.userId, name: 'Ana', email: account.email },
        expires_at: expect.any(String),
      });
      const { value, attributes } = cookieOf(headers);
      expect(value).toMatch(/^__Host-prosa_session=prosa_sess_[0-9A-Za-z]{36}$/);
      const expires = `Expires=${new Date(Math.floor(Date.parse(body.expires_at) / 1_000) * 1_000).toUTCString()}`;
      expect([...attributes].sort()).toEqual([expires, 'HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    });

    it('asks for TLS only where the browser has it', async () => {
      const plain = await TestApp.start({ TRUST_PROXY: '1' });
      try {
        await plain.account({ email: account.email, password: PASSWORD });
        const secure = async (protocol: string) => {
          const { headers } = await plain.http
            .post('/api/auth/session')
            .set('X-Forwarded-Proto', protocol)
            .send(credentials())
            .expect(200);
          const { value, attributes } = cookieOf(headers);
          const [name] = value.split('=');
          const path = attributes.find((attribute) => attribute.startsWith('Path='));
          return { name, path, isSecure: attributes.includes('Secure') };
        };
        expect(await secure('http')).toEqual({ name: 'prosa_session', path: 'Path=/api', isSecure: false });
        expect(await secure('https')).toEqual({
          name: '__Host-prosa_session',
          path: 'Path=/',
          isSecure: true,
        });
      } finally {
        await plain.stop();
      }
    });

    it('refuses a wrong password and sets no cookie', async () => {
      const { body, headers } = await begin()
        .send({ ...credentials(), password: 'wrong' })
        .expect(401);
      expect(body).toEqual({ message: 'E-mail ou senha inválidos' });
      expect(headers['set-cookie']).toBeUndefined();
    });

    it.each([
      [{}, 'email'],
      [{ email: 'ana@example.com' }, 'password'],
    ])('names what %j lacks', async (body, field) => {
      const { body: answer } = await begin().send(body).expect(422);
      expect(Object.keys(answer.errors)).toEqual([field]);
    });

    it('refuses a page of another origin', async () => {
      for (const origin of [FOREIGN, 'null', 'http://voz.example.com']) {
        const { body } = await begin().set('Origin', origin).send(credentials()).expect(403);
        expect(body).toEqual({ message: 'A requisição veio de um site de outra origem' });
      }
      await begin().set('Origin', OWN_ORIGIN).send(credentials()).expect(200);
      await begin().set('Origin', `http://${host()}`).send(credentials()).expect(200);
    });

    it('takes an API key in exchange, and ends with it', async () => {
      const { body } = await app.as(account).post('/api/user/api-keys').send({ name: 'Console' });
      const { token } = body.api_key;
      const { headers } = await app.as({ token }).post('/api/auth/session').expect(200);
      const cookie = cookieOf(headers).value;
      await app.http.get('/api/user/me').set('Cookie', cookie).expect(200);
      const { body: listed } = await app.as(account).get('/api/user/api-keys').expect(200);
      const { id } = listed.api_keys.find(({ name }: { name: string }) => name === 'Console');
      await app.as(account).delete(`/api/user/api-keys/${id}`).expect(200);
      await app.http.get('/api/user/me').set('Cookie', cookie).expect(401);
    });

    it('exchanges no session for another', async () => {
      const token = (await signIn()).replace('__Host-prosa_session=', '');
      await app.as({ token }).post('/api/auth/session').expect(422);
    });
  });

  describe('The cookie', () => {
    it('speaks for the account below /user', async () => {
      const cookie = await signIn();
      const { body } = await app.http.get('/api/user/me').set('Cookie', `a=b; ${cookie}; c=d`).expect(200);
      expect(body.email).toBe(account.email);
    });

    it('is refused when it holds an API key, or nothing of ours', async () => {
      for (const value of [account.token, 'prosa_sess_x', '', '%00']) {
        await app.http.get('/api/user/me').set('Cookie', `prosa_session=${value}`).expect(401);
      }
    });

    it('yields to a bearer token, also to a wrong one, and to no other scheme', async () => {
      const cookie = await signIn();
      const me = () => app.http.get('/api/user/me').set('Cookie', cookie);
      await me().set('Authorization', 'Bearer nonsense').expect(401);
      const other = await app.account();
      const { body } = await me().set('Authorization', `Bearer ${other.token}`).expect(200);
      expect(body.email).toBe(other.email);
      await me().set('Authorization', 'Basic YTpi').expect(200);
    });

    it('writes for pages of the own origin alone', async () => {
      const cookie = await signIn();
      const create = () =>
        app.http.post('/api/user/folder').set('Cookie', cookie).send({ name: 'Pasta do navegador' });
      for (const origin of [FOREIGN, 'null', `http://evil.${host()}`, 'http://127.0.0.1:1']) {
        await create().set('Origin', origin).expect(403);
      }
      await create().expect(403);
      expect(await app.query("SELECT FROM folders WHERE name = 'Pasta do navegador'")).toEqual([]);
      for (const [index, origin] of [OWN_ORIGIN, `http://${host()}`].entries()) {
        await create()
          .set('Origin', origin)
          .send({ name: `Pasta ${index}` })
          .expect(201);
      }
    });

    it('reads for pages of the own origin alone, and a plain read names none', async () => {
      const cookie = await signIn();
      const me = () => app.http.get('/api/user/me').set('Cookie', cookie);
      await me().expect(200);
      await me().set('Origin', FOREIGN).expect(403);
    });

    it('is never asked for by a page of another origin', async () => {
      const { headers } = await app.http.get('/api/user/me').set('Origin', FOREIGN).expect(401);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    });

    it('counts on every route that takes a session, and on no other', async () => {
      const cookie = await signIn();
      const answered: string[] = [];
      for (const { method, path, operation } of app.contract.routes) {
        const security = (operation.security ?? []).flatMap((each) => Object.keys(each));
        const isOwn = /^\/api\/(user|auth|leads)\//.test(path);
        expect({ path, cookie: security.includes('session') }).toEqual({
          path,
          cookie: isOwn && security.includes('user') && !(path === '/api/auth/session' && method === 'post'),
        });
        if (!security.includes('automate')) continue;
        const url = path.replace(/\{\w+\}/g, '5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e');
        const { status } = await app.http[method](url).set('Cookie', cookie).set('Origin', OWN_ORIGIN);
        answered.push(`${status}`);
      }
      expect(new Set(answered)).toEqual(new Set(['401']));
    });

    it('does not authorise the start of a conversation', async () => {
      const cookie = await signIn();
      await app.http
        .post('/api/conversations')
        .set('Cookie', cookie)
        .set('Origin', OWN_ORIGIN)
        .send({ assistant_id: '5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e', type: 'test' })
        .expect(401);
    });
  });

  describe('End', () => {
    it('ends the session and removes the cookie', async () => {
      const cookie = await signIn();
      const { body, headers } = await app.http
        .delete('/api/auth/session')
        .set('Cookie', cookie)
        .set('Origin', OWN_ORIGIN)
        .expect(200);
      expect(body).toEqual({ message: 'Sessão encerrada com sucesso' });
      expect(headers['set-cookie']).toEqual([
        expect.stringMatching(/^__Host-prosa_session=; Path=\/; Expires=.* 1970 .*; Secure/),
      ]);
      await app.http.get('/api/user/me').set('Cookie', cookie).expect(401);
    });

    it('refuses a caller with a key', async () => {
      await app.as(account).delete('/api/auth/session').expect(400);
    });
  });

  it('is counted like any other token', async () => {
    const limited = await TestApp.start({ RATE_LIMITS: 'on', RATE_LIMIT_PER_KEY_PER_MINUTE: '2' });
    try {
      await limited.account({ email: account.email, password: PASSWORD });
      const { headers } = await limited.http.post('/api/auth/session').send(credentials()).expect(200);
      const me = () => limited.http.get('/api/user/me').set('Cookie', cookieOf(headers).value);
      await me().expect(200);
      await me().expect(200);
      await me().expect(429);
    } finally {
      await limited.stop();
    }
  });
});
