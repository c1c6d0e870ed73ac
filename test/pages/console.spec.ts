import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import request from 'supertest';
import { Database } from '../../src/database/database.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant, openConversation } from '../support/builders.js';
import { addCall } from '../support/call-rows.js';
import {
  accessibilityFindings,
  buildPages,
  describeInBrowser,
  follow,
  type Look,
  overflowOf,
  problemsOf,
  TestBrowser,
  titleBegins,
} from '../support/browser.js';
import { until } from '../support/until.js';

const PASSWORD = 'correto-cavalo-bateria';
/** What is text wherever it is shown. */
const HOSTILE =
  '<img src=x onerror="document.title=`stolen`"><script>alert(1)</script> [x](javascript:alert(1))';
/** In a page, before its own scripts: notes what makes a browser lay the page out at once. */
const NOTE_MEASURES = `(() => {
  window.measures = [];
  const note = (proto, name) => {
    const { get, value, ...rest } = Object.getOwnPropertyDescriptor(proto, name);
    const noted = (act) => function () { window.measures.push(name); return act.call(this); };
    Object.defineProperty(proto, name, get ? { ...rest, get: noted(get) } : { ...rest, value: noted(value) });
  };
  note(Element.prototype, 'getBoundingClientRect');
  for (const name of ['clientWidth', 'clientHeight', 'scrollHeight']) note(Element.prototype, name);
  for (const name of ['offsetWidth', 'offsetHeight', 'offsetTop', 'offsetLeft']) note(HTMLElement.prototype, name);
})()`;

describeInBrowser('The console', () => {
  let app: TestApp;
  let browser: TestBrowser;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  beforeAll(async () => {
    await buildPages();
    [app, browser] = await Promise.all([TestApp.start(), TestBrowser.start()]);
    owner = await app.account({ balanceUsd: 25, password: PASSWORD });
    assistant = await createAssistant(app, owner, { name: HOSTILE });
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

  const send = (uuid: string, message: string) =>
    app.http.post(`/api/conversations/${uuid}/messages`).send({ message }).expect(200);
  const written = async (message: string, variables = {}) => {
    const uuid = await openConversation(app, assistant, { variables }, owner);
    await send(uuid, message);
    return uuid;
  };
  const signedIn = async (path: string, look: Look = {}): Promise<Page> => {
    const page = await browser.open(app.origin, look);
    await page.request.post('/api/auth/session', {
      data: { email: owner.email, password: PASSWORD },
      headers: { Origin: app.origin },
    });
    await page.goto(path);
    return page;
  };

  it('asks for all that the first screen of the inbox needs at once, and for each of it once', async () => {
    await written('Têm pão?', { name: 'Rita' });
    const page = await browser.open(app.origin);
    await page.request.post('/api/auth/session', {
      data: { email: owner.email, password: PASSWORD },
      headers: { Origin: app.origin },
    });
    const asked: string[] = [];
    page.on('request', (sent) => asked.push(sent.url().replace(app.origin, '')));
    // The libraries are held back: what is asked for before does not wait for them.
    let letThrough = () => {};
    const isLetThrough = new Promise<void>((resolve) => (letThrough = resolve));
    await page.route('**/assets/index-*.js', async (route) => {
      await isLetThrough;
      await route.continue();
    });
    await page.goto('/app/inbox', { waitUntil: 'commit' });
    const list = '/api/user/conversations?type=widget&sort=activity&state=open&per_page=30';
    const early = ['/api/user/me', '/api/user/settings', '/api/auth/session', list];
    const files = [/\/assets\/pt-/, /\/assets\/page-.*\.js$/];
    const hasAsked = (file: RegExp) => asked.some((path) => file.test(path));
    await until(() => early.every((path) => asked.includes(path)) && files.every(hasAsked));
    letThrough();
    await page.getByRole('link', { name: /Rita/ }).waitFor();
    await until(() => asked.includes('/api/user/events'));
    // The stream says first that hints may have been missed; until it does, nothing is asked for twice.
    const untilStream = asked.slice(0, asked.indexOf('/api/user/events'));
    for (const path of early) expect(untilStream.filter((other) => other === path)).toEqual([path]);
    // And then only for what hints are about.
    await until(() => asked.filter((path) => path === list).length === 2);
    for (const path of early.filter((each) => each !== list))
      expect(asked.filter((other) => other === path)).toEqual([path]);
    expect(problemsOf(page)).toEqual([]);
  });

  it('measures nothing while the inbox is first drawn, or the page is laid out once for each measure', async () => {
    await written('Têm pão?', { name: 'Rute' });
    const page = await browser.open(app.origin);
    await page.addInitScript(NOTE_MEASURES);
    await page.request.post('/api/auth/session', {
      data: { email: owner.email, password: PASSWORD },
      headers: { Origin: app.origin },
    });
    await page.goto('/app/inbox');
    await page.getByRole('link', { name: /Rute/ }).waitFor();
    expect(await page.evaluate('window.measures')).toEqual([]);
    const states = page.getByRole('radiogroup', { name: 'Status da conversa' });
    await states.getByRole('radio', { name: 'Abertas' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL('**/app/inbox?state=waiting');
    await states.getByRole('radio', { name: 'Aguardando', checked: true }).waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('lets an operator take a conversation over by answering, and hand it back; all of it live', async () => {
    const uuid = await written(HOSTILE, { name: 'Maria' });
    const page = await signedIn('/app/inbox');
    const row = page.getByRole('link', { name: /Maria/ });
    await row.waitFor();
    // It can be opened in a tab of its own, too.
    expect(await row.getAttribute('href')).toBe(`/app/inbox?id=${uuid}`);
    await row.click();
    await page.waitForURL(`**/app/inbox?id=${uuid}`);
    await page.goBack();
    await page.getByText('Selecione uma conversa').waitFor();
    await row.waitFor();
    await page.keyboard.press('j');
    const thread = page.getByRole('log', { name: 'Mensagens' });
    await thread.getByText(HOSTILE).waitFor();
    await page.keyboard.press('r');
    await page.keyboard.type('Olá, Maria. Aqui é a Marta.');
    await page.keyboard.press('Enter');
    await thread.getByText('Olá, Maria. Aqui é a Marta.').waitFor();
    await page.getByText('A IA está pausada.').waitFor();
    await until(async () => (await page.getByLabel('Sua resposta').inputValue()) === '');
    const { body } = await app.http.get(`/api/conversations/${uuid}/messages`).expect(200);
    expect(body.data.at(-1)).toMatchObject({ author: 'agent', content: 'Olá, Maria. Aqui é a Marta.' });

    await send(uuid, 'Obrigada! E o bolo?');
    const sentAt = performance.now();
    await thread.getByText('Obrigada! E o bolo?').waitFor();
    expect(performance.now() - sentAt).toBeLessThan(5_000);
    await page.getByText('O cliente aguarda atendimento').waitFor();
    await titleBegins(page, '(1) ');

    await page.getByRole('button', { name: 'Devolver à IA' }).first().click();
    await page.getByText('A IA está respondendo.').waitFor();
    expect((await send(uuid, 'A que horas abre?')).body.message).not.toBe('');
    await thread.getByText('A que horas abre?').waitFor();
    expect(problemsOf(page)).toEqual([]);
  });

  it('asks for the password over the page when the session is over, and keeps what was typed', async () => {
    const uuid = await written('Olá');
    const page = await signedIn(`/app/inbox?id=${uuid}`);
    const reply = page.getByLabel('Sua resposta');
    await reply.fill('Uma resposta longa');
    await app.query('DELETE FROM sessions');
    await send(uuid, 'Ainda aí?');
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Entrar' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await reply.inputValue()).toBe('Uma resposta longa');
    await page.getByRole('button', { name: 'Enviar' }).click();
    await page.getByRole('log').getByText('Uma resposta longa').waitFor();
  });

  it('signs a person in directly, without the errors of earlier requests', async () => {
    await written('Têm pão?', { name: 'Lia' });
    const page = await browser.open(app.origin);
    await page.goto('/app/inbox');
    await page.waitForURL('**/app/sign-in?*');
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('link', { name: /Lia/ }).waitFor();
    expect(await page.getByRole('dialog', { name: 'Sua sessão expirou' }).count()).toBe(0);
    expect(problemsOf(page)).toEqual([]);
  });

  it('shows the next person who signs in nothing of the previous one', async () => {
    const uuid = await written('Olá', { name: 'Joana' });
    const other = await app.account({ balanceUsd: 3, password: PASSWORD });
    const page = await signedIn(`/app/inbox?id=${uuid}`);
    await page.getByLabel('Sua resposta').fill('Uma resposta longa');
    await app.query('DELETE FROM sessions');
    await send(uuid, 'Ainda aí?');
    const dialog = page.getByRole('dialog', { name: 'Sua sessão expirou' });
    await dialog.getByLabel('E-mail').fill(other.email);
    await dialog.getByLabel('Senha', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Entrar' }).click();
    await page.waitForURL(({ pathname }) => /^\/app\/?$/.test(pathname));
    await page
      .getByRole('button', { name: /^Conta/ })
      .getByText(/3,00/)
      .waitFor();
    await follow(page, '/app/inbox');
    await page.getByText('Selecione uma conversa').waitFor();
    expect(await page.getByRole('link', { name: /Joana/ }).count()).toBe(0);
  });

  it('says that one is still signed in when signing out fails', async () => {
    const page = await signedIn('/app/keys');
    const signOut = async () => {
      await page.getByRole('button', { name: /^Conta/ }).click();
      await page.getByRole('menuitem', { name: 'Sair' }).click();
    };
    await page.route('**/api/auth/session', (route) => route.abort());
    await signOut();
    await page.getByText('Não foi possível sair. Sua sessão continua aberta.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/keys');
    await page.unroute('**/api/auth/session');
    await signOut();
    await page.waitForURL('**/app/sign-in');
  });

  it.each([
    ['light', 'en-US', 1280],
    ['dark', 'pt-BR', 320],
  ] as const)(
    'has no barrier that axe knows, %s, %s, %i wide',
    async (scheme, locale, width) => {
      const uuid = await written('Preciso de ajuda', { name: HOSTILE });
      await app.as(owner).post(`/api/user/conversations/${uuid}/takeover`).expect(200);
      await send(uuid, 'Tem alguém?');
      const call = await addCall(app.app.get(Database), owner.userId, { campaignName: HOSTILE });
      const page = await signedIn('/app', { scheme, locale, width });
      const findings: Record<string, string[]> = {};
      for (const path of [
        '/',
        '/inbox',
        `/inbox?id=${uuid}`,
        '/live',
        '/calls',
        `/calls?call=${call}`,
        '/keys',
        '/billing',
        '/settings',
      ]) {
        await follow(page, `/app${path}`);
        const found = await accessibilityFindings(page);
        const overflow = await overflowOf(page);
        if (overflow > 0) found.push(`${overflow} px too wide`);
        if (found.length > 0) findings[path] = found;
      }
      expect(findings).toEqual({});
      expect(problemsOf(page)).toEqual([]);
      expect(await page.title()).not.toContain('stolen');
    },
    120_000,
  );
});
