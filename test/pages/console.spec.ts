import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  problemsOf,
  TestBrowser,
} from '../support/browser.js';

const PASSWORD = 'correto-cavalo-bateria';

describeInBrowser('The console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
  }, 120_000);
  afterEach(() => browser.closeWindows());
  afterAll(async () => {
    await browser.stop();
    await app.stop();
  });

  it('asks who is there, says what is wrong with a password, and leads to where one wanted to go', async () => {
    const page = await browser.open(app.origin);
    await page.goto('/app/keys');
    await page.waitForURL('**/app/sign-in?*');
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Senha', { exact: true }).fill('não é esta');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('E-mail ou senha incorretos.').waitFor();
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.waitForURL('**/app/keys');
    await page.getByRole('heading', { level: 1, name: 'Chaves de API' }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('is served with a policy that lets no foreign script in, compressed, and at / too', async () => {
    const page = await request(app.server).get('/app/calls').set('Accept-Encoding', 'br');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;connect-src 'self' ws: wss:;" +
        "object-src 'none';base-uri 'none';form-action 'self';frame-ancestors 'none'",
    );
    expect(page.headers['cache-control']).toBe('no-cache');
    expect(page.headers['content-encoding']).toBe('br');
    const html = (await request(app.server).get('/app').set('Accept-Encoding', 'identity')).text;
    const script = /src="(\/app\/assets\/[^"]+)"/.exec(html)?.[1] ?? '';
    const { headers } = await request(app.server).get(script).set('Accept-Encoding', 'br');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-encoding']).toBe('br');
    expect((await request(app.server).get('/').redirects(0)).headers.location).toBe('/app');
    expect((await request(app.server).get('/app/assets/no-such.js')).status).toBe(404);
    expect((await request(app.server).get('/app/..%2f..%2fpackage.json')).text).not.toContain(
      'devDependencies',
    );
  });
});
