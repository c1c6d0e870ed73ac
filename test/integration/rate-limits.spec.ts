import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import request from 'supertest';
import { WebSocket } from 'ws';
import { Authenticator } from '../../src/common/auth/authenticator.js';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { Database } from '../../src/database/database.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';

const LIMITS_ON = {
  RATE_LIMITS: 'on',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '40',
  RATE_LIMIT_PER_KEY_PER_MINUTE: '5',
  TRUST_PROXY: '1',
};

let addresses = 0;
/** An address that no test has used before. */
const newAddress = () => `198.51.${100 + Math.floor(++addresses / 250)}.${addresses % 250}`;

// spec: limits.rate-limits-not
describe('rate limits', () => {
  let app: TestApp;
  let account: TestAccount;
  const from = (address: string) => ({
    get: (path: string) => app.http.get(path).set('X-Forwarded-For', address),
    post: (path: string) => app.http.post(path).set('X-Forwarded-For', address),
  });

  beforeAll(async () => {
    app = await TestApp.start(LIMITS_ON);
  });
  afterAll(() => app.stop());
  afterEach(() => {
    jest.restoreAllMocks();
  });

  describe('per address', () => {
    it('says on every answer what is allowed and what is left', async () => {
      const address = newAddress();
      const first = await from(address).get('/api/user/me').expect(401);
      expect(first.headers['ratelimit-policy']).toBe('"address";q=40;w=60');
      expect(first.headers.ratelimit).toBe('"address";r=39;t=60');
      expect(first.headers['retry-after']).toBeUndefined();
      const second = await from(address).get('/api/no-such-route').expect(404);
      expect(second.headers.ratelimit).toMatch(/^"address";r=38;t=(5\d|60)$/);
    });

    it('answers 429 with Retry-After in the words and shape of the route', async () => {
      const address = newAddress();
      for (let i = 0; i < 40; i++) await from(address).get('/api/no-such-route');
      const user = await from(address).get('/api/user/me').expect(429);
      const seconds = Number(user.headers['retry-after']);
      expect(seconds).toBeGreaterThanOrEqual(58);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(user.body).toEqual({
        message: `Muitas requisições. Tente novamente em ${seconds} segundos`,
        retry_after: seconds,
      });
      expect(user.headers).toMatchObject({ 'x-ratelimit-limit': '40', 'x-ratelimit-remaining': '0' });
      const resetsIn = Number(user.headers['x-ratelimit-reset']) - Date.now() / 1_000;
      expect(Math.abs(resetsIn - seconds)).toBeLessThan(3);
      expect(user.headers.ratelimit).toBe(`"address";r=0;t=${seconds}`);
      const conversation = await from(address).post('/api/conversations').send({}).expect(429);
      expect(conversation.body).toEqual({
        status: false,
        error: expect.stringMatching(/^Too many requests\. Try again in \d+ seconds$/),
        retry_after: Number(conversation.headers['retry-after']),
      });
      await from(newAddress()).get('/api/user/me').expect(401);
    });

    it('refuses a flood before it reads a body or asks who calls', async () => {
      const authenticate = jest.spyOn(app.app.get(Authenticator), 'authenticate');
      const address = newAddress();
      for (let i = 0; i < 40; i++) await from(address).get('/api/no-such-route');
      await from(address)
        .get('/api/user/me')
        .set('Authorization', `Bearer ${makeToken('prosa_')}`)
        .expect(429);
      await from(address).post('/api/auth/login').type('json').send('{ not json').expect(429);
      expect(authenticate).not.toHaveBeenCalled();
    });

    it('lets a browser read the refusal, and counts no preflight', async () => {
      const address = newAddress();
      for (let i = 0; i < 45; i++) {
        const preflight = app.http.options('/api/user/me').set('X-Forwarded-For', address);
        await preflight.set('Origin', 'https://shop.example').set('Access-Control-Request-Method', 'GET');
      }
      const answer = await from(address)
        .get('/api/user/me')
        .set('Origin', 'https://shop.example')
        .expect(401);
      expect(answer.headers['access-control-expose-headers']).toContain('Retry-After');
    });

    it('counts a /64 of IPv6 as one', async () => {
      for (let i = 0; i < 40; i++) await from(`2001:db8:7:7::${i.toString(16)}`).get('/api/no-such-route');
      await from('2001:db8:7:7:ffff::1').get('/api/user/me').expect(429);
      await from('2001:db8:7:8::1').get('/api/user/me').expect(401);
    });

    it('never limits health and docs', async () => {
      const address = newAddress();
      for (let i = 0; i < 45; i++) await from(address).get('/health/live').expect(200);
      for (const path of ['/health/ready', '/docs-json']) {
        const { headers } = await from(address).get(path).expect(200);
        expect(headers.ratelimit).toBeUndefined();
      }
      const { headers } = await from(address).get('/api/user/me').expect(401);
      expect(headers.ratelimit).toMatch(/^"address";r=39;/);
    });

    it('counts upgrades too, before the database is asked', async () => {
      const refusalOf = async (address: string) => {
        const url = `${app.origin.replace('http', 'ws')}/api/web-calls/1/media`;
        const socket = new WebSocket(url, { headers: { 'X-Forwarded-For': address } });
        const [, { statusCode, headers }] = (await once(socket, 'unexpected-response')) as [
          unknown,
          { statusCode: number; headers: Record<string, string> },
        ];
        return [statusCode, Number(headers['retry-after'])];
      };
      const address = newAddress();
      for (let i = 0; i < 40; i++) await from(address).get('/api/no-such-route');
      const query = jest.spyOn(app.app.get(Database), 'query');

      const [status, seconds] = await refusalOf(address);
      expect(status).toBe(429);
      expect(seconds).toBeGreaterThan(50);
      expect(query.mock.calls.filter(([sql]) => sql.includes('active_calls'))).toEqual([]);
      // Another address is heard; no process here takes calls.
      expect(await refusalOf(newAddress())).toEqual([503, 1]);
      expect(query.mock.calls.filter(([sql]) => sql.includes('active_calls'))).not.toEqual([]);
    });

    it('believes no forwarded address that the trusted proxy did not write', async () => {
      const address = newAddress();
      for (let i = 0; i < 40; i++) await from(`10.0.0.${i}, ${address}`).get('/api/no-such-route');
      await from(`10.0.0.99, ${address}`).get('/api/user/me').expect(429);
    });
  });

  describe('per key', () => {
    it('counts a token from whatever address, and asks no database when its quota is spent', async () => {
      account = await app.account();
      const call = () =>
        from(newAddress()).get('/api/user/me').set('Authorization', `Bearer ${account.token}`);
      const first = await call().expect(200);
      expect(first.headers['ratelimit-policy']).toBe('"address";q=40;w=60, "key";q=5;w=60');
      expect(first.headers.ratelimit).toBe('"address";r=39;t=60, "key";r=4;t=60');
      for (let i = 0; i < 4; i++) await call().expect(200);
      const authenticate = jest.spyOn(app.app.get(Authenticator), 'authenticate');
      const refused = await call().expect(429);
      expect(refused.headers.ratelimit).toMatch(/"key";r=0;t=(5\d|60)$/);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(authenticate).not.toHaveBeenCalled();
      const other = await app.account();
      await from(newAddress()).get('/api/user/me').set('Authorization', `Bearer ${other.token}`).expect(200);
    });

    it('counts the session of a cookie, whatever else of a request looks like a token', async () => {
      const { token } = await app.account();
      const login = await app.http
        .post('/api/auth/session')
        .set('Authorization', `Bearer ${token}`)
        .expect(200);
      const [cookie = ''] = String(login.headers['set-cookie']).split(';');
      const call = () =>
        from(newAddress())
          .get('/api/user/me')
          .set('Cookie', cookie)
          .query({ access_token: makeToken('prosa_sess_') });
      for (let i = 0; i < 5; i++) await call().expect(200);
      await call().expect(429);
    });
  });

  describe('per conversation', () => {
    it('lets 30 messages a minute through, from whatever addresses, and stores no other', async () => {
      const owner = await app.account({ balanceUsd: 10 });
      const assistant = await createAssistant(app, owner);
      const uuid = await openConversation(app, assistant);
      const send = (id: string) =>
        from(newAddress()).post(`/api/conversations/${id}/messages`).send({ message: 'Olá' });
      const answers = [];
      for (let i = 0; i < 40; i++) answers.push(await send(i % 2 ? uuid : uuid.toUpperCase()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(10);
      for (const { body, headers } of refused) {
        expect(headers['ratelimit-policy']).toBe('"address";q=40;w=60, "conversation";q=30;w=60');
        expect(headers.ratelimit).toMatch(/"conversation";r=0;t=\d+$/);
        expect(body.error).toBe(`Too many requests. Try again in ${headers['retry-after']} seconds`);
      }
      const charged = "SELECT FROM ledger_entries WHERE user_id = $1 AND kind = 'message'";
      expect(await app.query(charged, [owner.userId])).toHaveLength(30);
      await send(await openConversation(app, assistant)).expect(200);
    }, 60_000);
  });

  describe('of logins', () => {
    const login = (address: string, email: string) =>
      from(address).post('/api/auth/login').send({ email, password: 'wrong password' });

    it('stops guessing one password from one address after ten tries, before the hash is computed', async () => {
      const address = newAddress();
      await app.account({ email: 'vera@example.com', password: 'the right password' });
      for (let i = 0; i < 10; i++) await login(address, 'vera@example.com').expect(401);
      const check = jest.spyOn(app.app.get(AccountsService), 'isLogin');
      const refused = await login(address, 'VERA@example.com').expect(429);
      expect(refused.headers['ratelimit-policy']).toContain('"login";q=10;w=60');
      expect(refused.headers['retry-after']).toBeDefined();
      expect(check).not.toHaveBeenCalled();
      await from(newAddress())
        .post('/api/auth/login')
        .send({ email: 'vera@example.com', password: 'the right password' })
        .expect(200);
    });

    it('stops trying many accounts from one address', async () => {
      const address = newAddress();
      jest.spyOn(app.app.get(AccountsService), 'isLogin').mockResolvedValue(false);
      for (let i = 0; i < 30; i++) await login(address, `victim${i}@example.com`).expect(401);
      const refused = await login(address, 'victim30@example.com').expect(429);
      expect(refused.headers.ratelimit).toContain('"credentials";r=0');
    });
  });

  describe('switched off', () => {
    it('counts nothing and says nothing', async () => {
      const unlimited = await TestApp.start({ ...LIMITS_ON, RATE_LIMITS: 'off' });
      try {
        for (let i = 0; i < 60; i++) {
          const { status, headers } = await request(unlimited.server).get('/api/user/me');
          expect([status, headers.ratelimit, headers['ratelimit-policy']]).toEqual([
            401,
            undefined,
            undefined,
          ]);
        }
      } finally {
        await unlimited.stop();
      }
    });
  });
});
