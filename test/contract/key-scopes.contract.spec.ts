import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Scope, SCOPES } from '../../src/common/auth/scope.js';
import { needOf } from '../../src/common/auth/scopes.js';
import { errorBodyFor, languageOf } from '../../src/common/errors/route-families.js';
import { render, text } from '../../src/i18n/catalogue.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, createTool } from '../support/builders.js';
import type { DocumentedRoute } from '../../src/contract/contract-check.js';
import { expectedNeedOf, FOR_PERSONS, NEED_OF_EXCEPTION, pathOf, STREAMS } from '../support/route-needs.js';

const ORIGIN = 'https://shop.example';

describe('what an API key may do', () => {
  let app: TestApp;
  let owner: TestAccount;
  let guarded: readonly DocumentedRoute[];

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account({ balanceUsd: 5 });
    guarded = app.contract.routes.filter(({ operation }) => (operation.security ?? []).length > 0);
  });
  afterAll(() => app.stop());

  async function key(limits: Record<string, unknown>): Promise<{ token: string }> {
    const { body } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: 'limited', ...limits })
      .expect(201);
    return { token: body.api_key.token };
  }
  const withScopes = (scopes: readonly Scope[]) => key({ scopes });
  const needOfRoute = ({ method, path }: DocumentedRoute) =>
    needOf(method, path.replace(/\{(\w+)\}/g, ':$1'));

  async function send({ method, path }: DocumentedRoute, token: { token: string }) {
    const request = app.as(token)[method](pathOf(path)).set('Accept', 'application/json');
    return method === 'get' ? request.set('Content-Type', 'application/json') : request.send({});
  }

  const refusal = (path: string, scope: string) =>
    errorBodyFor(path, {
      kind: 'forbidden',
      message: render(text('http.missing_scope', { scope }), languageOf(path)),
    });

  it('is what the method of a route says, but for the routes that are named', () => {
    const operations = guarded.map((route) => ({ id: route.operation.operationId ?? '', route }));
    const needs = operations.map(({ id, route }) => [id, needOfRoute(route)]);
    const expected = operations.map(({ id, route }) => [id, expectedNeedOf(id, route.method)]);
    const wrong = needs.flatMap(([id, need], index) =>
      need === expected[index]?.[1]
        ? []
        : [
            `${id} needs ${need} by src/common/auth/scopes.ts: add it to ${need} of EXCEPTIONS in test/support/route-needs.ts`,
          ],
    );
    expect(wrong).toEqual([]);
    const named = operations.filter(({ id }) => NEED_OF_EXCEPTION.has(id)).map(({ id }) => id);
    expect(named.toSorted()).toEqual([...NEED_OF_EXCEPTION.keys()].toSorted());
    const shown = guarded.map(({ operation }) => (operation as { 'x-scope'?: string })['x-scope']);
    expect(shown).toEqual(guarded.map(needOfRoute));
  });

  it.each(SCOPES)(
    'is refused with 403 on each route that needs %s, without it',
    async (scope) => {
      const others = await withScopes(SCOPES.filter((other) => other !== scope));
      let checked = 0;
      for (const route of guarded) {
        if (needOfRoute(route) !== scope) continue;
        const { status, body } = await send(route, others);
        expect({ route: route.path, status, body }).toEqual({
          route: route.path,
          status: 403,
          body: refusal(route.path, scope),
        });
        checked += 1;
      }
      expect(checked).toBeGreaterThan(0);
    },
    60_000,
  );

  it.each(SCOPES)(
    'is %s alone on each route that needs it, and nothing else',
    async (scope) => {
      const only = await withScopes([scope]);
      for (const route of guarded) {
        const need = needOfRoute(route);
        const id = route.operation.operationId ?? '';
        if (need === 'anyone' || STREAMS.has(id) || FOR_PERSONS.has(id)) continue;
        const { status } = await send(route, only);
        const isRefused = need !== scope;
        expect({ route: route.path, need, isRefused: status === 403 }).toEqual({
          route: route.path,
          need,
          isRefused,
        });
      }
    },
    60_000,
  );

  it('is everything without scopes, as for keys of before', async () => {
    const all = await key({});
    await app.as(all).get('/api/user/api-keys').expect(200);
    await app.as(all).get('/api/auth/sessions').expect(200);
    const { body } = await app.as(owner).get('/api/user/api-keys').expect(200);
    expect(body.api_keys[0]).toMatchObject({
      scopes: null,
      publishable: false,
      allowed_origins: null,
      expires_at: null,
    });
  });

  it('is to see the credentials of a tool, for a key that may change it alone', async () => {
    const headers = [{ name: 'Authorization', value: 'Bearer of-the-shop' }];
    const id = await createTool(app, owner, { headers });
    const shownTo = async (caller: { token: string }) => {
      const json = { 'Content-Type': 'application/json', Accept: 'application/json' };
      const one = await app.as(caller).get(`/api/user/tools/${id}`).set(json).expect(200);
      const list = await app.as(caller).get('/api/user/tools').expect(200);
      return [one.body.headers, list.body[0].headers];
    };
    expect(await shownTo(await withScopes(['read', 'admin']))).toEqual([headers, headers]);
    const hidden = [{ name: 'Authorization', value: '••••' }];
    expect(await shownTo(await withScopes(['read']))).toEqual([hidden, hidden]);
  });

  it('is what it is for a session that was begun with it, too', async () => {
    const reader = await withScopes(['read']);
    const { headers } = await app.as(reader).post('/api/auth/session').expect(200);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    await app.http.get('/api/user/me').set('Cookie', cookie).expect(200);
    await app.http.get('/api/user/api-keys').set('Cookie', cookie).expect(403);
    await app.http
      .delete('/api/auth/session')
      .set({ Cookie: cookie, Origin: app.origin, Host: new URL(app.origin).host })
      .expect(200);
  });

  it('ends when the key expires, for its sessions too', async () => {
    const short = await key({ expires_at: '2099-01-01T00:00:00Z' });
    const { headers } = await app.as(short).post('/api/auth/session').expect(200);
    const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
    await app.query("UPDATE api_keys SET expires_at = now() - interval '1 s' WHERE expires_at IS NOT NULL");
    // Known keys are asked for again after a second at most.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await app.as(short).get('/api/user/me').expect(401);
    await app.http.get('/api/user/me').set('Cookie', cookie).expect(401);
  });

  it('is only done from its origins', async () => {
    const shop = await key({ allowed_origins: [ORIGIN] });
    await app.as(shop).get('/api/user/me').set('Origin', ORIGIN).expect(200);
    await app.as(shop).get('/api/user/me').set('Origin', 'https://evil.example').expect(403);
    await app.as(shop).get('/api/user/me').expect(403);
  });

  it('is to open conversations as a visitor does, for a publishable key', async () => {
    const page = await key({ publishable: true, allowed_origins: [ORIGIN] });
    expect(page.token).toMatch(/^prosa_pub_/);
    const { uuid } = await createAssistant(app, owner);
    const open = (origin: string, body: object = {}) =>
      app
        .as(page)
        .post('/api/conversations')
        .set('Origin', origin)
        .send({ assistant_id: uuid, ...body });
    await open(ORIGIN).expect(200);
    await open('https://evil.example').expect(403);
    // A key for one shop opens no chat of another, as if there were none.
    const other = await createAssistant(app, await app.account({ balanceUsd: 5 }));
    await open(ORIGIN, { assistant_id: other.uuid }).expect(404);
    await app.http
      .post('/api/conversations')
      .set('Origin', ORIGIN)
      .send({ assistant_id: other.uuid })
      .expect(200);
    // Test conversations are free, and the owner's.
    await open(ORIGIN, { type: 'test' }).expect(401);
    for (const route of guarded) {
      if (['beginBrowserSession', 'createConversation'].includes(route.operation.operationId ?? '')) continue;
      const { method, path } = route;
      const { status } = await app.as(page)[method](pathOf(path)).set('Origin', ORIGIN);
      expect({ path, status }).toEqual({ path, status: 403 });
    }
  }, 60_000);

  it.each([
    ['scopes', { scopes: [] }],
    ['scopes.1', { scopes: ['read', 'everything'] }],
    ['scopes', { scopes: ['read', 'read'] }],
    ['scopes', { scopes: 'read' }],
    ['scopes', { scopes: ['read'], publishable: true }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: 'tomorrow' }],
    ['expires_at', { expires_at: null }],
    ['allowed_origins.0', { allowed_origins: ['https://shop.example/path'] }],
    ['publishable', { publishable: 'yes' }],
  ])('is refused with 422 naming %s for %j', async (field, limits) => {
    const { body } = await app
      .as(owner)
      .post('/api/user/api-keys')
      .send({ name: 'x', ...limits })
      .expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });
});
